import { serve } from '../../shared/http/serve.ts'
import { customer, customerFrom, customers } from '../../shared/resources/customer.ts'
import { createEntity } from '../../shared/store/entities.ts'

/** POST /api/customers */
export const handler = serve(customers.create, async ({ app, body }) => ({
  entity: await createEntity({ app, resource: customer, clientId: body.id, content: customerFrom(body) }),
}))
