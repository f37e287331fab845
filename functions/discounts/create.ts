import { serve } from '../../shared/http/serve.ts'
import { discount, discountFrom, discounts } from '../../shared/resources/discount.ts'
import { createEntity } from '../../shared/store/entities.ts'

/** POST /api/discounts */
export const handler = serve(discounts.create, async ({ app, body }) => ({
  entity: await createEntity({ app, resource: discount, clientId: body.id, content: discountFrom(body) }),
}))
