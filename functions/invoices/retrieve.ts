import { serve } from '../../shared/http/serve.ts'
import { invoice, invoices } from '../../shared/resources/invoice.ts'
import { readWithIncludes } from '../../shared/store/answers.ts'

/** GET /api/invoices/{id} */
export const handler = serve(invoices.retrieve, ({ app, id, include: names }) =>
  readWithIncludes({ app, resource: invoice, include: invoices.retrieve.include, names }, id),
)
