import {
  at,
  type FindRecurrence,
  id,
  idAt,
  type Json,
  listAt,
  money,
  readAll,
  refuse,
  same,
  sum,
  type Table,
  time,
  timeOf,
  value,
} from './stripe-values.ts'

const prorations = ['proration', 'subscription_item_details.proration', 'invoice_item_details.proration']

/** Whether a line bills a period of a subscription and is not a proration. */
const isRecurring = (line: Json): boolean =>
  (line.type === 'subscription' || at(line, 'parent.type') === 'subscription_item_details') &&
  line.proration !== true &&
  at(line.parent, ...prorations) !== true

const recurrenceOf = (line: Json, findRecurrence: FindRecurrence): Json | undefined => {
  if (!isRecurring(line)) return undefined
  const price = at(line, 'pricing.price_details.price', 'price', 'plan')
  const known = at(price, 'recurring') ?? at(line, 'plan') ?? findRecurrence(String(at(price, 'id') ?? price))
  return (known ??
    refuse("The interval of a line's price is unknown: import the prices in the same command.")) as Json
}

const lineTable: Table = {
  id: value('id'),
  amount: money('amount'),
  ...same('currency', 'quantity'),
  discount_amount: sum('discount_amounts'),
  tax_amount: sum('taxes', 'tax_amounts'),
  period_start: time('period.start'),
  period_end: time('period.end'),
  interval: (line, findRecurrence) => recurrenceOf(line, findRecurrence)?.interval,
  interval_count: (line, findRecurrence) => recurrenceOf(line, findRecurrence)?.interval_count,
  type: (line) => (isRecurring(line) ? 'recurring' : 'one_time'),
}

const linesOf = (invoice: Json): Json[] => {
  if (at(invoice, 'lines.has_more') === true)
    refuse(
      'lines.has_more is true: lines are missing. Fetch all of them with GET /v1/invoices/ID/lines?limit=100.',
    )
  const lines = listAt(invoice, 'lines.data')
  return lines.length > 0 ? lines : refuse('The invoice has no lines, from which its period is taken.')
}

/** The period of the lines. The invoice's own period_start and period_end are mostly those of the period before. */
const periodOf = (invoice: Json, side: 'start' | 'end'): unknown => {
  const lines = linesOf(invoice)
  const billed = lines.some(isRecurring) ? lines.filter(isRecurring) : lines
  const seconds = billed.map((line) => at(line, `period.${side}`) as number)
  return timeOf(side === 'start' ? Math.min(...seconds) : Math.max(...seconds))
}

const couponsOf = (invoice: Json): unknown[] => {
  const { discount } = invoice
  const several = listAt(invoice, 'discounts')
  const discounts: unknown[] = several.length === 0 && discount ? [discount] : several
  return discounts.map(
    (each) =>
      // Older versions expand `discount` and not `discounts`.
      idAt(each === at(discount, 'id') ? discount : each, 'source.coupon', 'coupon') ??
      refuse('The discounts are not expanded: fetch the invoices with expand[]=data.discounts.'),
  )
}

/** How the fields of an invoice are read. */
export const invoiceTable: Table = {
  id: value('id'),
  total: money('total'),
  created: time('created'),
  period_start: (invoice) => periodOf(invoice, 'start'),
  period_end: (invoice) => periodOf(invoice, 'end'),
  currency: value('currency'),
  customer_id: id('customer'),
  subscription_id: (invoice) =>
    idAt(invoice, 'subscription', 'parent.subscription_details.subscription') ??
    refuse('The invoice has no subscription, which every invoice here must have.'),
  discounts: couponsOf,
  line_items: (invoice, findRecurrence) =>
    linesOf(invoice).map((line) => readAll(lineTable, line, findRecurrence)),
}
