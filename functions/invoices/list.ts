import { serve } from '../../shared/http/serve.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { list } from '../../shared/store/operations.ts'

/** GET /api/invoices */
export const handler = serve(invoices.list, list)
