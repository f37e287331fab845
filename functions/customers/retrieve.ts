import { serve } from '../../shared/http/serve.ts'
import { customers } from '../../shared/resources/customer.ts'
import { retrieve } from '../../shared/store/operations.ts'

/** GET /api/customers/{id} */
export const handler = serve(customers.retrieve, retrieve)
