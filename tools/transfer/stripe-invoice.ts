import {
  at,
  id,
  idAt,
  type Json,
  listAt,
  money,
  type Recurrences,
  readAll,
  refuse,
  sum,
  type Table,
  time,
  timeOf,
  value,
} from './stripe-values.ts'

const prorations = ['proration', 'subscription_item_details.proration', 'invoice_item_details.proration']

/** Whether a line bills a subscription for a period, and does not settle a change within one. */
const isRecurring = (line: Json): boolean =>
  (line.type === 'subscription' || at(line, 'parent.type') === 'subscription_item_details') &&
  line.proration !== true &&
  at(line.parent, ...prorations) !== true

const recurrenceOf = (line: Json, recurrences: Recurrences): Json | undefined => {
  if (!isRecurring(line)) return undefined
  const price = at(line, 'pricing.price_details.price', 'price', 'plan')
  const known =
    at(price, 'recurring') ?? at(line, 'plan') ?? recurrences.get(String(at(price, 'id') ?? price))
  return (known ??
    refuse('A line has a price of unknown interval: import the prices in the same command.')) as Json
}

const lineTable: Table = {
  id: value('id'),
  amount: money('amount'),
  currency: value('currency'),
  quantity: value('quantity'),
  discount_amount: sum('discount_amounts'),
  tax_amount: sum('taxes', 'tax_amounts'),
  period_start: time('period.start'),
  period_end: time('period.end'),
  interval: (line, recurrences) => recurrenceOf(line, recurrences)?.interval,
  interval_count: (line, recurrences) => recurrenceOf(line, recurrences)?.interval_count,
  type: (line) => (isRecurring(line) ? 'recurring' : 'one_time'),
}

const linesOf = (invoice: Json): Json[] => {
  if (at(invoice, 'lines.has_more') === true)
    refuse(
      'lines.has_more is true: only the first lines are here. Fetch all: GET /v1/invoices/ID/lines?limit=100.',
    )
  const lines = listAt(invoice, 'lines.data')
  return lines.length > 0 ? lines : refuse('The invoice has no lines, which tell what period it bills.')
}

/** The period that the lines bill. The invoice's own says when items were added, mostly in the period before. */
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
      // Older versions expand the one discount beside the list.
      idAt(each === at(discount, 'id') ? discount : each, 'source.coupon', 'coupon') ??
      refuse('The discounts are not expanded: fetch the invoices with expand[]=data.discounts.'),
  )
}

/** An invoice, by the names of our fields. */
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
    refuse('The invoice is a one-off: it has no subscription, and an invoice here belongs to one.'),
  discounts: couponsOf,
  line_items: (invoice, recurrences) => linesOf(invoice).map((line) => readAll(lineTable, line, recurrences)),
}
