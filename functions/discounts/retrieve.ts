import { serve } from '../../shared/http/serve.ts'
import { discount, discounts } from '../../shared/resources/discount.ts'
import { readEntity } from '../../shared/store/entities.ts'

/** GET /api/discounts/{id} */
export const handler = serve(discounts.retrieve, async ({ app, id }) => ({
  entity: await readEntity(app, discount, id),
}))
