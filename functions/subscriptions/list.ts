import { serve } from '../../shared/http/serve.ts'
import { subscriptions } from '../../shared/resources/subscription.ts'
import { list } from '../../shared/store/operations.ts'

/** GET /api/subscriptions */
export const handler = serve(subscriptions.list, list)
