import { erasurePlaceholders, storedChanges } from '../../shared/contract/field.ts'
import { serve } from '../../shared/http/serve.ts'
import { customer, customers } from '../../shared/resources/customer.ts'
import { updateEntity } from '../../shared/store/updates.ts'

const { fields } = customer

/** PUT /api/customers/{id}: an update if the request has a body, otherwise an erasure */
export const handler = serve(customers.update, async ({ app, id, body }) => {
  // The stored form of a customer's fields does not depend on the id.
  const change = body
    ? { bodyId: body.id, content: storedChanges(fields, body, '') }
    : { content: erasurePlaceholders(fields), erase: true }
  return { entity: await updateEntity({ app, resource: customer, id, ...change }) }
})
