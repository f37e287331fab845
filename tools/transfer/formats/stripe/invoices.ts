import { discountIdsOf } from './discounts.ts'
import { id, type MappingContext, money, type Read, readAll, type Table, time, value } from './fields.ts'
import { isRecurring, lineTable } from './lines.ts'
import { idAt, type Json, listAt, refuse, timeOf, valueAt } from './values.ts'

/** How invoices are read. */

const linesOf = (invoice: Json): Json[] => {
  if (valueAt(invoice, 'lines.has_more') === true)
    refuse(
      'lines.has_more is true: lines are missing. Fetch all of them with GET /v1/invoices/ID/lines?limit=100.',
    )
  const lines = listAt(invoice, 'lines.data')
  return lines.length > 0 ? lines : refuse('The invoice has no lines, from which its period is taken.')
}

const endOf = (line: Json) => valueAt(line, 'period.end') as number

/**
 * Returns the start or end of the period of the recurring lines that end last or, without any, of all lines. The period_start
 * and period_end of Stripe's invoice are usually those of the previous period.
 */
export const periodOf = (invoice: Json, side: 'start' | 'end', context: MappingContext): unknown => {
  const lines = linesOf(invoice)
  const recurring = lines.filter((line) => isRecurring(line, context))
  const billed = recurring.length > 0 ? recurring : lines
  const end = Math.max(...billed.map(endOf))
  if (side === 'end') return timeOf(end)
  // Usage is billed in arrears, together with the plan's next period.
  const last = recurring.length > 0 ? billed.filter((line) => endOf(line) === end) : billed
  return timeOf(Math.min(...last.map((line) => valueAt(line, 'period.start') as number)))
}

export const subscriptionOf: Read = (invoice, { recordsOneOffs }) =>
  idAt(invoice, 'subscription', 'parent.subscription_details.subscription') ??
  (recordsOneOffs
    ? undefined
    : refuse(
        'The invoice has no subscription, which every invoice here must have; --one-off records it under "one-off:CUSTOMER".',
      ))

export const invoiceTable: Table = {
  id: value('id'),
  total: money('total'),
  created: time('created', 'date'),
  period_start: (invoice, context) => periodOf(invoice, 'start', context),
  period_end: (invoice, context) => periodOf(invoice, 'end', context),
  currency: value('currency'),
  customer_id: id('customer'),
  subscription_id: subscriptionOf,
  discounts: discountIdsOf,
  line_items: (invoice, context) => linesOf(invoice).map((line) => readAll(lineTable, line, context)),
}
