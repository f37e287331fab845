import { serve } from '../../shared/http/serve.ts'
import { discounts } from '../../shared/resources/discount.ts'
import { create } from '../../shared/store/operations.ts'

/** POST /api/discounts */
export const handler = serve(discounts.create, create)
