import { serve } from '../../shared/http/serve.ts'
import { customers } from '../../shared/resources/customer.ts'
import { create, createErased } from '../../shared/store/operations.ts'

/** POST /api/customers */
export const handler = serve(customers.create, (call) =>
  call.options.erased ? createErased(call) : create(call),
)
