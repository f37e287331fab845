import { serve } from '../../shared/http/serve.ts'
import { customer, customers } from '../../shared/resources/customer.ts'
import { listPage } from '../../shared/store/answers.ts'

/** GET /api/customers */
export const handler = serve(customers.list, ({ app, page }) => listPage({ app, resource: customer }, page))
