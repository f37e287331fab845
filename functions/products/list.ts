import { serve } from '../../shared/http/serve.ts'
import { product, products } from '../../shared/resources/product.ts'
import { listPage } from '../../shared/store/answers.ts'

/** GET /api/products */
export const handler = serve(products.list, ({ app, page, include: names }) =>
  listPage({ app, resource: product, include: products.list.include, names }, page),
)
