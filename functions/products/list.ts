import { serve } from '../../shared/http/serve.ts'
import { products } from '../../shared/resources/product.ts'
import { list } from '../../shared/store/operations.ts'

/** GET /api/products */
export const handler = serve(products.list, list)
