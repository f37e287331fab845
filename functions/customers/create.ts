import { serve } from '../../shared/http/serve.ts'
import { customers } from '../../shared/resources/customer.ts'
import { create } from '../../shared/store/operations.ts'

/** POST /api/customers */
export const handler = serve(customers.create, create)
