import { serve } from '../../shared/http/serve.ts'
import { customers } from '../../shared/resources/customer.ts'
import { create, createErased, createOrUpdate } from '../../shared/store/operations.ts'

/** POST /api/customers */
export const handler = serve(customers.create, (call) => {
  if (call.options.erased) return createErased(call)
  return call.options.on_conflict === 'update' ? createOrUpdate(call) : create(call)
})
