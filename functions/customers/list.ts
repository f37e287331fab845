import { serve } from '../../shared/http/serve.ts'
import { customers } from '../../shared/resources/customer.ts'
import { list } from '../../shared/store/operations.ts'

/** GET /api/customers */
export const handler = serve(customers.list, list)
