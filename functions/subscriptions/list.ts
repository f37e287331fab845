import { serve } from '../../shared/http/serve.ts'
import { subscription, subscriptions } from '../../shared/resources/subscription.ts'
import { listPage } from '../../shared/store/answers.ts'

/** GET /api/subscriptions */
export const handler = serve(subscriptions.list, ({ app, page }) =>
  listPage({ app, resource: subscription }, page),
)
