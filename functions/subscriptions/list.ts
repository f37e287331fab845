import { serve } from '../../shared/http/serve.ts'
import { customer } from '../../shared/resources/customer.ts'
import { subscriptions } from '../../shared/resources/subscription.ts'
import { list } from '../../shared/store/operations.ts'

/** GET /api/subscriptions */
export const handler = serve(subscriptions.list, list, { customer })
