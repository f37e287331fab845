import { serve } from '../../shared/http/serve.ts'
import { product, products } from '../../shared/resources/product.ts'
import { readWithIncludes } from '../../shared/store/answers.ts'

/** GET /api/products/{id} */
export const handler = serve(products.retrieve, ({ app, id, include: names }) =>
  readWithIncludes({ app, resource: product, include: products.retrieve.include, names }, id),
)
