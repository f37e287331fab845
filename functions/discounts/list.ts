import { serve } from '../../shared/http/serve.ts'
import { discount, discounts } from '../../shared/resources/discount.ts'
import { listPage } from '../../shared/store/answers.ts'

/** GET /api/discounts */
export const handler = serve(discounts.list, ({ app, page }) => listPage({ app, resource: discount }, page))
