import { serve } from '../../shared/http/serve.ts'
import { price, prices } from '../../shared/resources/price.ts'
import { readEntity } from '../../shared/store/entities.ts'

/** GET /api/prices/{id} */
export const handler = serve(prices.retrieve, async ({ app, id }) => ({
  entity: await readEntity(app, price, id),
}))
