import { serve } from '../../shared/http/serve.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { retrieve } from '../../shared/store/operations.ts'

/** GET /api/invoices/{id} */
export const handler = serve(invoices.retrieve, retrieve)
