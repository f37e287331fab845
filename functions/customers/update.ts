import { changesOf, placeholdersOf } from '../../shared/contract/field.ts'
import { serve } from '../../shared/http/serve.ts'
import { customer, customers } from '../../shared/resources/customer.ts'
import { updateEntity } from '../../shared/store/updates.ts'

/** PUT /api/customers/{id}: an update with a body, an erasure without one */
export const handler = serve(customers.update, async ({ app, id, body }) => ({
  entity: await updateEntity(
    body
      ? {
          app,
          resource: customer,
          id,
          ownId: body.id,
          changes: { content: changesOf(customer.fields, body, '') },
        }
      : { app, resource: customer, id, changes: { content: placeholdersOf(customer.fields), erase: true } },
  ),
}))
