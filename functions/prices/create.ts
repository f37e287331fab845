import { serve } from '../../shared/http/serve.ts'
import { price, priceFrom, prices } from '../../shared/resources/price.ts'
import { product } from '../../shared/resources/product.ts'
import { createEntity } from '../../shared/store/entities.ts'
import { requireReference } from '../../shared/store/references.ts'

/** POST /api/prices */
export const handler = serve(prices.create, async ({ app, body }) => {
  const parent = await requireReference(app, { field: 'product_id', resource: product, id: body.product_id })
  const content = priceFrom(body, parent.id)
  return { entity: await createEntity({ app, resource: price, clientId: body.id, content, parent }) }
})
