import { serve } from '../../shared/http/serve.ts'
import { discounts } from '../../shared/resources/discount.ts'
import { list } from '../../shared/store/operations.ts'

/** GET /api/discounts */
export const handler = serve(discounts.list, list)
