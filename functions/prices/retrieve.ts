import { serve } from '../../shared/http/serve.ts'
import { prices } from '../../shared/resources/price.ts'
import { retrieve } from '../../shared/store/operations.ts'

/** GET /api/prices/{id} */
export const handler = serve(prices.retrieve, retrieve)
