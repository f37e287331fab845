import { serve } from '../../shared/http/serve.ts'
import { customer, customers } from '../../shared/resources/customer.ts'
import { readEntity } from '../../shared/store/entities.ts'

/** GET /api/customers/{id} */
export const handler = serve(customers.retrieve, async ({ app, id }) => ({
  entity: await readEntity(app, customer, id),
}))
