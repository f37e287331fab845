import { serve } from '../../shared/http/serve.ts'
import { product, productFrom, products } from '../../shared/resources/product.ts'
import { createEntity } from '../../shared/store/entities.ts'

/** POST /api/products */
export const handler = serve(products.create, async ({ app, body }) => ({
  entity: await createEntity({ app, resource: product, clientId: body.id, content: productFrom(body) }),
}))
