import { serve } from '../../shared/http/serve.ts'
import { subscriptions } from '../../shared/resources/subscription.ts'
import { retrieve } from '../../shared/store/operations.ts'

/** GET /api/subscriptions/{id} */
export const handler = serve(subscriptions.retrieve, retrieve)
