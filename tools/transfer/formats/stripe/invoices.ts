import { discountIds } from './discounts.ts'
import { isRecurring, lineReaders } from './lines.ts'
import {
  amountFrom,
  type FieldReader,
  type FieldReaders,
  idFrom,
  type MappingContext,
  readFields,
  timeFrom,
  valueFrom,
} from './mapping-context.ts'
import { idAt, isoTime, listAt, refuse, type StripeObject, secondsOf, valueAt } from './values.ts'

/** Throws Refusal if lines are missing or there are none. */
const linesOf = (invoice: StripeObject): StripeObject[] => {
  if (valueAt(invoice, 'lines.has_more') === true)
    refuse(
      'lines.has_more is true: lines are missing. Fetch all of them with GET /v1/invoices/ID/lines?limit=100.',
    )
  const lines = listAt(invoice, 'lines.data')
  return lines.length > 0
    ? lines
    : refuse('The invoice has no lines, from which its period would be determined.')
}

export const startOf = (line: StripeObject) => secondsOf(valueAt(line, 'period.start')) as number
export const endOf = (line: StripeObject) => secondsOf(valueAt(line, 'period.end')) as number

/**
 * Returns the period of an invoice, as RFC 3339: the period of the recurring lines that end last or, without any, of all lines.
 * The period_start and period_end of Stripe's invoice are usually the previous period. Throws Refusal if lines are missing.
 */
export const invoicePeriodOf = (invoice: StripeObject, context: MappingContext) => {
  const lines = linesOf(invoice)
  const recurring = lines.filter((line) => isRecurring(line, context))
  const billed = recurring.length > 0 ? recurring : lines
  const end = Math.max(...billed.map(endOf))
  // Usage is billed in arrears, together with the next period of the plan.
  const inPeriod = recurring.length > 0 ? recurring.filter((line) => endOf(line) === end) : lines
  const start = Math.min(...inPeriod.map(startOf))
  return { start: isoTime(start), end: isoTime(end) }
}

/** Undefined if it has none. */
export const subscriptionIdOf = (invoice: StripeObject): unknown =>
  idAt(invoice, 'subscription', 'parent.subscription_details.subscription')

/** Throws Refusal if it has none, unless one-off invoices are recorded. */
export const subscriptionOf: FieldReader = (invoice, { recordsOneOffs }) => {
  const id = subscriptionIdOf(invoice)
  if (id !== undefined || recordsOneOffs) return id
  return refuse(
    'The invoice has no subscription, but every invoice must belong to one here; --one-off records it under the subscription "one-off:CUSTOMER".',
  )
}

export const invoiceReaders: FieldReaders = {
  id: valueFrom('id'),
  total: amountFrom('total'),
  created: timeFrom('created', 'date'),
  period_start: (invoice, context) => invoicePeriodOf(invoice, context).start,
  period_end: (invoice, context) => invoicePeriodOf(invoice, context).end,
  currency: valueFrom('currency'),
  customer_id: idFrom('customer'),
  subscription_id: subscriptionOf,
  discounts: discountIds,
  line_items: (invoice, context) => linesOf(invoice).map((line) => readFields(lineReaders, line, context)),
}
