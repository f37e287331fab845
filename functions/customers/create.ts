import { serve } from '../../shared/http/serve.ts'
import { customers } from '../../shared/resources/customer.ts'
import { create, createErased } from '../../shared/store/operations.ts'
import { createOrUpdate } from '../../shared/store/upserts.ts'

/** POST /api/customers */
export const handler = serve(customers.create, (call) => {
  if (call.options.erased) return createErased(call)
  return call.options.on_conflict === 'update' ? createOrUpdate(call) : create(call)
})
