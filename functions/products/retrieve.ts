import { serve } from '../../shared/http/serve.ts'
import { products } from '../../shared/resources/product.ts'
import { retrieve } from '../../shared/store/operations.ts'

/** GET /api/products/{id} */
export const handler = serve(products.retrieve, retrieve)
