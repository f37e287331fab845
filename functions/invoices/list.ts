import { serve } from '../../shared/http/serve.ts'
import { invoice, invoices } from '../../shared/resources/invoice.ts'
import { listPage } from '../../shared/store/answers.ts'

/** GET /api/invoices */
export const handler = serve(invoices.list, ({ app, page, include: names }) =>
  listPage({ app, resource: invoice, include: invoices.list.include, names }, page),
)
