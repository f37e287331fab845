/** The mapping of Stripe's objects. Everything here is pure. */

import { metadataProblem } from '../../shared/contract/metadata.ts'
import {
  at,
  id,
  idAt,
  type Json,
  listAt,
  money,
  type Others,
  Refusal,
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

/** Returns whether a line bills a period of a subscription and is not a proration. */
const isRecurring = (line: Json): boolean =>
  (line.type === 'subscription' || at(line, 'parent.type') === 'subscription_item_details') &&
  line.proration !== true &&
  at(line.parent, ...prorations) !== true

const priceOf = (line: Json): unknown => at(line, 'pricing.price_details.price', 'price', 'plan')

/** Returns the id of a line's price, if the import has recorded the price. */
const priceIdOf = (line: Json, others: Others): string | undefined => {
  const price = priceOf(line)
  const priceId = String(at(price, 'id') ?? price)
  return others.isRecorded(priceId) ? priceId : undefined
}

const recurrenceOf = (line: Json, others: Others): Json | undefined => {
  if (!isRecurring(line)) return undefined
  const price = priceOf(line)
  const known =
    at(price, 'recurring') ?? at(line, 'plan') ?? others.recurrence(String(at(price, 'id') ?? price))
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
  interval: (line, others) => recurrenceOf(line, others)?.interval,
  interval_count: (line, others) => recurrenceOf(line, others)?.interval_count,
  type: (line) => (isRecurring(line) ? 'recurring' : 'one_time'),
  price_id: priceIdOf,
}

const linesOf = (invoice: Json): Json[] => {
  if (at(invoice, 'lines.has_more') === true)
    refuse(
      'lines.has_more is true: lines are missing. Fetch all of them with GET /v1/invoices/ID/lines?limit=100.',
    )
  const lines = listAt(invoice, 'lines.data')
  return lines.length > 0 ? lines : refuse('The invoice has no lines, from which its period is taken.')
}

const endOf = (line: Json) => at(line, 'period.end') as number

/**
 * Returns a side of the period of the recurring lines that end last, or of all lines. The invoice's own period_start and
 * period_end are mostly those of the period before.
 */
const periodOf = (invoice: Json, side: 'start' | 'end'): unknown => {
  const lines = linesOf(invoice)
  const billed = lines.some(isRecurring) ? lines.filter(isRecurring) : lines
  const end = Math.max(...billed.map(endOf))
  if (side === 'end') return timeOf(end)
  // Usage is billed in arrears, beside the next period of the plan.
  const last = lines.some(isRecurring) ? billed.filter((line) => endOf(line) === end) : billed
  return timeOf(Math.min(...last.map((line) => at(line, 'period.start') as number)))
}

/** Returns the coupons of an invoice, as ids or embedded. */
const couponsOf = (invoice: Json): unknown[] => {
  const { discount } = invoice
  const several = listAt(invoice, 'discounts')
  const discounts: unknown[] = several.length === 0 && discount ? [discount] : several
  // Older versions expand `discount` and not `discounts`.
  return discounts.map((each) => at(each === at(discount, 'id') ? discount : each, 'source.coupon', 'coupon'))
}

const discountIdsOf = (invoice: Json, { isFractional }: Others): unknown[] =>
  couponsOf(invoice)
    .map(
      (coupon) =>
        idAt({ coupon }, 'coupon') ??
        refuse('The discounts are not expanded: fetch the invoices with expand[]=data.discounts.'),
    )
    .filter((coupon) => !isFractional(String(coupon)))

/** Returns the customer and coupons that an invoice embeds. */
export const embeddedIn = (object: Json): Json[] => {
  if (object.object !== 'invoice') return []
  const coupons = couponsOf(object).map((coupon) => ({ ...Object(coupon), object: 'coupon' }))
  const all: Json[] = [{ ...Object(object.customer), object: 'customer' }, ...coupons]
  return all.filter(({ id, ...more }) => id !== undefined && Object.keys(more).length > 1)
}

/** The mapping of the fields of an invoice. */
const invoiceTable: Table = {
  id: value('id'),
  total: money('total'),
  created: time('created', 'date'),
  period_start: (invoice) => periodOf(invoice, 'start'),
  period_end: (invoice) => periodOf(invoice, 'end'),
  currency: value('currency'),
  customer_id: id('customer'),
  subscription_id: (invoice) =>
    idAt(invoice, 'subscription', 'parent.subscription_details.subscription') ??
    refuse('The invoice has no subscription, which every invoice here must have.'),
  discounts: discountIdsOf,
  line_items: (invoice, others) => linesOf(invoice).map((line) => readAll(lineTable, line, others)),
}

/** The mapping of one type of Stripe's objects. */
interface Kind {
  readonly type: string
  readonly table: Table
  /** Objects with these statuses are skipped: such invoices are not revenue. */
  readonly skipped?: readonly string[]
}

const unitAmount = (price: Json): unknown => {
  const amount = at(price, 'unit_amount', 'amount') ?? at(listAt(price, 'tiers')[0], 'unit_amount')
  if (amount !== undefined) return amount
  if (price.custom_unit_amount) refuse('custom_unit_amount: the customer chooses, so there is no amount.')
  if (price.billing_scheme === 'tiered' && listAt(price, 'tiers').length === 0)
    refuse('The tiers are not expanded: fetch the prices with expand[]=data.tiers.')
  return refuse('The amount is null or a fraction of a cent, which cannot be recorded.')
}

/** Returns whether an object is a coupon that takes a fraction of a percent off. */
export const couponIsFractional = (object: Json): boolean =>
  object.object === 'coupon' && !Number.isInteger(at(object, 'percent_off') ?? 0)

/** Returns whether the metadata of an object is omitted. */
const isCut = ({ metadata }: Json, { cutsMetadata }: Others): boolean =>
  cutsMetadata && metadataProblem(metadata) !== undefined

const wholePercent = (coupon: Json): unknown =>
  couponIsFractional(coupon) ? refuse('percent_off must be a whole number.') : at(coupon, 'percent_off')

/** The mapping of Stripe's objects, by their `object`: how each of our fields is read. */
const tables = {
  product: { type: 'product', table: same('id', 'name') },
  price: {
    type: 'price',
    table: {
      id: value('id'),
      product_id: id('product'),
      title: value('nickname'),
      currency: value('currency'),
      price: (price, others) => money('amount')({ ...price, amount: unitAmount(price) }, others),
      tiered: ({ billing_scheme }) => billing_scheme === 'tiered',
      // A plan, which older versions have for a price, always recurs.
      type: (price) => (price.object === 'plan' ? 'recurring' : price.type),
      interval: value('recurring.interval', 'interval'),
      interval_count: value('recurring.interval_count', 'interval_count'),
    },
  },
  customer: {
    type: 'customer',
    table: {
      ...same('id', 'name', 'email', 'description', 'phone'),
      created: time('created'),
      metadata: (object, others) => (isCut(object, others) ? undefined : at(object, 'metadata')),
    },
  },
  coupon: {
    type: 'discount',
    table: {
      id: value('id'),
      name: value('name', 'id'),
      ...same('duration', 'duration_in_months'),
      amount_off: money('amount_off'),
      percent_off: wholePercent,
      // A percentage has no currency; XXX is the code of ISO 4217 for that.
      currency: (coupon) => at(coupon, 'currency') ?? 'XXX',
    },
  },
  invoice: { type: 'invoice', table: invoiceTable, skipped: ['draft', 'void', 'uncollectible'] },
} satisfies Readonly<Record<string, Kind>>
const kinds: ReadonlyMap<string, Kind> = new Map(Object.entries({ ...tables, plan: tables.price }))

const subscriptionOfLine = (line: Json): unknown =>
  at(line, 'subscription', 'parent.subscription_item_details.subscription')
const isInclusive = (tax: Json): boolean => tax.inclusive === true || tax.tax_behavior === 'inclusive'

/** What is left out of an object that is recorded, in words that are the same for all objects. */
export const leftOutOf = (object: Json, others: Others): string[] => {
  const lines = listAt(object, 'lines.data')
  const own = idAt(object, 'subscription', 'parent.subscription_details.subscription')
  const taxes = lines.flatMap((line) => listAt(line, 'taxes', 'tax_amounts'))
  const found = {
    'that it is test data (livemode is false)': object.livemode === false,
    'its test clock': at(object, 'test_clock') !== undefined,
    'its amounts in other currencies (currency_options)':
      Object.keys(Object(object.currency_options)).length > 0,
    'that quantities are divided (transform_quantity)': at(object, 'transform_quantity') !== undefined,
    'a discount of a fraction of a percent': couponsOf(object).some((each) =>
      others.isFractional(String(at(each, 'id') ?? each)),
    ),
    'that a line belongs to another subscription': lines.some(
      (line) => (subscriptionOfLine(line) ?? own) !== own,
    ),
    'that amounts include a tax': taxes.some(isInclusive),
    'its metadata, which is over the limit': object.object === 'customer' && isCut(object, others),
  }
  return Object.entries(found).flatMap(([what, isFound]) => (isFound ? [`${object.object}: ${what}`] : []))
}

/** The result of mapping an object: a create's body, a problem, or the reason why it is skipped. */
export type Mapping =
  | { readonly type: string; readonly body: Json; readonly isErased?: true }
  | { readonly type?: string; readonly problem: string }
  | { readonly skip: string }

/** Maps an object. */
export const mapObject = (object: Json, others: Others): Mapping => {
  const name = object.object
  if (typeof name !== 'string')
    return { problem: 'An object of Stripe must have "object", such as "customer".' }
  const kind = kinds.get(name)
  if (name === 'subscription') return { skip: 'subscription: derived from its invoices' }
  if (!kind) return { skip: `${name}: not recorded by this service` }
  const { type, table, skipped = [] } = kind
  if (object.deleted === true)
    return name === 'customer'
      ? { type, body: { id: object.id }, isErased: true }
      : { skip: `${name}: deleted` }
  const status = String(object.status)
  if (skipped.includes(status)) return { skip: `${name}: ${status}` }
  try {
    return { type, body: readAll(table, object, others) }
  } catch (error) {
    if (error instanceof Refusal) return { type, problem: error.message }
    throw error
  }
}

/** Returns the ids and recurrences of the prices in an object: a price, or those of a subscription's items. */
export const recurrencesIn = (object: Json): [string, Json][] => {
  const prices =
    object.object === 'price' || object.object === 'plan'
      ? [object]
      : listAt(object, 'items.data').map((item) => at(item, 'price', 'plan'))
  return prices.flatMap((price): [string, Json][] => {
    const { interval, interval_count } = Object(at(price, 'recurring') ?? price) as Json
    return interval ? [[String(at(price, 'id')), { interval, interval_count }]] : []
  })
}
