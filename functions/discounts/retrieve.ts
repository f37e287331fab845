import { serve } from '../../shared/http/serve.ts'
import { discounts } from '../../shared/resources/discount.ts'
import { retrieve } from '../../shared/store/operations.ts'

/** GET /api/discounts/{id} */
export const handler = serve(discounts.retrieve, retrieve)
