import { serve } from '../../shared/http/serve.ts'
import { price, prices } from '../../shared/resources/price.ts'
import { listPage } from '../../shared/store/answers.ts'

/** GET /api/prices */
export const handler = serve(prices.list, ({ app, page }) => listPage({ app, resource: price }, page))
