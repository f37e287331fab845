import { serve } from '../../shared/http/serve.ts'
import { prices } from '../../shared/resources/price.ts'
import { list } from '../../shared/store/operations.ts'

/** GET /api/prices */
export const handler = serve(prices.list, list)
