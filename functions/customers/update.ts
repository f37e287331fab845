import { serve } from '../../shared/http/serve.ts'
import { anonymous, customer, customerChanges, customers } from '../../shared/resources/customer.ts'
import { updateEntity } from '../../shared/store/updates.ts'

/** PUT /api/customers/{id}: an update with a body, an erasure without one (R10, R11) */
export const handler = serve(customers.update, async ({ app, id, body }) => ({
  entity: await updateEntity(
    body
      ? { app, resource: customer, id, ownId: body.id, changes: customerChanges(body) }
      : { app, resource: customer, id, changes: { fields: anonymous, kept: {}, erase: true } },
  ),
}))
