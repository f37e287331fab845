import type { Amount } from '../../../../console/text/csv.ts'
import { metadataProblem } from '../../../../shared/contract/metadata.ts'
import { amountOf, idAt, type Json, listAt, Refusal, refuse, timeOf, valueAt } from './values.ts'

/** Maps Stripe's objects, of any version of its API, to bodies of creates. Everything here is pure. */

/** What an import accepts only if the user says so. */
export interface Accepted {
  /** Whether metadata over the service's limit is omitted. Otherwise its customer is refused. */
  readonly cutsMetadata: boolean
  /** Whether invoices without a subscription are recorded under a subscription for one-off invoices of their customer. */
  readonly recordsOneOffs: boolean
  /** Whether a list may end without its last page. */
  readonly allowsMissingPages: boolean
}

/** What the mapping of an object depends on: options, and other objects of the import. */
export interface MappingContext extends Pick<Accepted, 'cutsMetadata' | 'recordsOneOffs'> {
  /** Returns `interval`, `interval_count` and `usage_type` of a price, by Stripe's id. */
  recurrence(priceId: string): Json | undefined
  isRecorded(priceId: string): boolean
  /** Returns whether a coupon cannot be recorded because its percentage is not an integer. */
  isFractional(couponId: string): boolean
}
/** Reads the value of one of our fields from an object of Stripe. */
type Read = (object: Json, context: MappingContext) => unknown
type Table = Readonly<Record<string, Read>>

const value =
  (...paths: string[]): Read =>
  (object) =>
    valueAt(object, ...paths)

/** Returns the table of fields that have the same names in Stripe. */
const same = (...names: string[]): Table => Object.fromEntries(names.map((name) => [name, value(name)]))

const id =
  (...paths: string[]): Read =>
  (object) =>
    idAt(object, ...paths)

const time =
  (...paths: string[]): Read =>
  (object) =>
    timeOf(valueAt(object, ...paths))

const money =
  (...paths: string[]): Read =>
  (object) =>
    amountOf(object.currency, valueAt(object, ...paths))

/** Reads the sum of the amounts in a list; undefined for an empty list. */
const sum =
  (...paths: string[]): Read =>
  (object) => {
    const amounts = listAt(object, ...paths).map(({ amount }) => amount as number)
    return amounts.length > 0
      ? amountOf(
          object.currency,
          amounts.reduce((a, b) => a + b),
        )
      : undefined
  }

const readAll = (table: Table, object: Json, context: MappingContext): Json =>
  Object.fromEntries(Object.entries(table).map(([name, read]) => [name, read(object, context)]))

const prorations = ['proration', 'subscription_item_details.proration', 'invoice_item_details.proration']

/** The paths of a line's price, as an id or embedded. */
const pricePaths = ['pricing.price_details.price', 'price', 'plan']
const idOfPrice = (line: Json): string => String(idAt(line, ...pricePaths))

const recordedPriceOf = (line: Json, { isRecorded }: MappingContext): string | undefined =>
  isRecorded(idOfPrice(line)) ? idOfPrice(line) : undefined

const knownRecurrence = (line: Json, { recurrence }: MappingContext): Json | undefined =>
  (valueAt(valueAt(line, ...pricePaths), 'recurring') ??
    valueAt(line, 'plan') ??
    recurrence(idOfPrice(line))) as Json | undefined

/** Returns whether a line bills metered usage, which does not recur by itself. */
const isMetered = (line: Json, context: MappingContext): boolean =>
  valueAt(knownRecurrence(line, context), 'usage_type') === 'metered'

/** Returns whether a line bills a period of a subscription and is neither a proration nor usage. */
const isRecurring = (line: Json, context: MappingContext): boolean =>
  (line.type === 'subscription' || valueAt(line, 'parent.type') === 'subscription_item_details') &&
  line.proration !== true &&
  valueAt(line.parent, ...prorations) !== true &&
  !isMetered(line, context)

const recurrenceOf = (line: Json, context: MappingContext): Json | undefined =>
  isRecurring(line, context)
    ? (knownRecurrence(line, context) ??
      refuse("The interval of a line's price is unknown: import the prices in the same command."))
    : undefined

/** Reads the start or end of a line's period. Usage has none: it is billed afterwards, not for a period that is paid for. */
const periodOfLine =
  (side: 'start' | 'end'): Read =>
  (line, context) =>
    isMetered(line, context) ? undefined : timeOf(valueAt(line, `period.${side}`))

const lineTable: Table = {
  id: value('id'),
  amount: money('amount'),
  ...same('currency', 'quantity'),
  discount_amount: sum('discount_amounts'),
  tax_amount: sum('taxes', 'tax_amounts'),
  period_start: periodOfLine('start'),
  period_end: periodOfLine('end'),
  interval: (line, context) => recurrenceOf(line, context)?.interval,
  interval_count: (line, context) => recurrenceOf(line, context)?.interval_count,
  type: (line, context) => (isRecurring(line, context) ? 'recurring' : 'one_time'),
  price_id: recordedPriceOf,
}

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
const periodOf = (invoice: Json, side: 'start' | 'end', context: MappingContext): unknown => {
  const lines = linesOf(invoice)
  const recurring = lines.filter((line) => isRecurring(line, context))
  const billed = recurring.length > 0 ? recurring : lines
  const end = Math.max(...billed.map(endOf))
  if (side === 'end') return timeOf(end)
  // Usage is billed in arrears, together with the plan's next period.
  const last = recurring.length > 0 ? billed.filter((line) => endOf(line) === end) : billed
  return timeOf(Math.min(...last.map((line) => valueAt(line, 'period.start') as number)))
}

/** Returns the coupons of an invoice, as ids or embedded. */
export const couponsOf = (invoice: Json): unknown[] => {
  const { discount } = invoice
  const several = listAt(invoice, 'discounts')
  const discounts: unknown[] = several.length === 0 && discount ? [discount] : several
  // Older versions expand `discount` and not `discounts`.
  return discounts.map((each) =>
    valueAt(each === valueAt(discount, 'id') ? discount : each, 'source.coupon', 'coupon'),
  )
}

const discountIdsOf = (invoice: Json, { isFractional }: MappingContext): unknown[] =>
  couponsOf(invoice)
    .map(
      (coupon) =>
        idAt({ coupon }, 'coupon') ??
        refuse('The discounts are not expanded: fetch the invoices with expand[]=data.discounts.'),
    )
    .filter((coupon) => !isFractional(String(coupon)))

const invoiceTable: Table = {
  id: value('id'),
  total: money('total'),
  created: time('created', 'date'),
  period_start: (invoice, context) => periodOf(invoice, 'start', context),
  period_end: (invoice, context) => periodOf(invoice, 'end', context),
  currency: value('currency'),
  customer_id: id('customer'),
  subscription_id: (invoice, { recordsOneOffs }) =>
    idAt(invoice, 'subscription', 'parent.subscription_details.subscription') ??
    (recordsOneOffs
      ? undefined
      : refuse(
          'The invoice has no subscription, which every invoice here must have; --one-off records it under "one-off:CUSTOMER".',
        )),
  discounts: discountIdsOf,
  line_items: (invoice, context) => linesOf(invoice).map((line) => readAll(lineTable, line, context)),
}

interface Kind {
  readonly type: string
  readonly table: Table
  /** The statuses of objects to skip: such invoices are not revenue. */
  readonly skipped?: readonly string[]
}

const unitAmount = (price: Json): unknown => {
  const amount = valueAt(price, 'unit_amount', 'amount') ?? valueAt(listAt(price, 'tiers')[0], 'unit_amount')
  if (amount !== undefined) return amount
  if (price.custom_unit_amount) refuse('custom_unit_amount: the customer chooses, so there is no amount.')
  if (price.billing_scheme === 'tiered' && listAt(price, 'tiers').length === 0)
    refuse('The tiers are not expanded: fetch the prices with expand[]=data.tiers.')
  return refuse('The amount is null or a fraction of a cent, which cannot be recorded.')
}

/** Returns whether an object is a coupon whose percentage is not an integer, such as 12.5. */
export const couponIsFractional = (object: Json): boolean =>
  object.object === 'coupon' && !Number.isInteger(valueAt(object, 'percent_off') ?? 0)

/** Returns whether the metadata of an object is over the limit and to be omitted. */
export const isCut = ({ metadata }: Json, { cutsMetadata }: MappingContext): boolean =>
  cutsMetadata && metadataProblem(metadata) !== undefined

const wholePercent = (coupon: Json): unknown =>
  couponIsFractional(coupon) ? refuse('percent_off must be a whole number.') : valueAt(coupon, 'percent_off')

/** How our fields are read from Stripe's objects, by the name of their type in `object`. */
const tables = {
  product: { type: 'product', table: same('id', 'name') },
  price: {
    type: 'price',
    table: {
      id: value('id'),
      product_id: id('product'),
      title: value('nickname'),
      currency: value('currency'),
      price: (price, context) => money('amount')({ ...price, amount: unitAmount(price) }, context),
      tiered: ({ billing_scheme }) => billing_scheme === 'tiered',
      // A plan, which is a price in older versions, always recurs.
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
      metadata: (object, context) => (isCut(object, context) ? undefined : valueAt(object, 'metadata')),
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
      // A percentage has no currency, for which the code of ISO 4217 is XXX.
      currency: (coupon) => valueAt(coupon, 'currency') ?? 'XXX',
    },
  },
  invoice: { type: 'invoice', table: invoiceTable, skipped: ['draft', 'void', 'uncollectible'] },
} satisfies Readonly<Record<string, Kind>>
const kinds: ReadonlyMap<string, Kind> = new Map(Object.entries({ ...tables, plan: tables.price }))

/** The result of mapping an object: the body of a create, a problem, or the reason why it is skipped. */
type Mapping =
  | { readonly type: string; readonly body: Json; readonly isErased?: true }
  | { readonly type?: string; readonly problem: string }
  | { readonly skip: string; readonly skippedSum?: Amount }

/** Skips a credit note, which is not an invoice. Its amount is added up, so that totals can be reconciled. */
const creditNote = (note: Json): Mapping => {
  if (note.status === 'void') return { skip: 'credit_note: void' }
  const amount = amountOf(note.currency, note.total)
  const skip = 'credit_note: not recorded by this service'
  return typeof amount === 'number'
    ? { skip, skippedSum: { currency: String(note.currency).toUpperCase(), amount } }
    : { skip }
}

/** Maps an object. */
export const mapObject = (object: Json, context: MappingContext): Mapping => {
  const name = object.object
  if (typeof name !== 'string')
    return { problem: 'An object of Stripe must have "object", such as "customer".' }
  const kind = kinds.get(name)
  if (name === 'subscription') return { skip: 'subscription: derived from its invoices' }
  if (name === 'credit_note') return creditNote(object)
  if (!kind) return { skip: `${name}: not recorded by this service` }
  const { type, table, skipped = [] } = kind
  if (object.deleted === true)
    return name === 'customer'
      ? { type, body: { id: object.id }, isErased: true }
      : { skip: `${name}: deleted` }
  const status = String(object.status)
  if (skipped.includes(status)) return { skip: `${name}: ${status}` }
  try {
    return { type, body: readAll(table, object, context) }
  } catch (error) {
    if (error instanceof Refusal) return { type, problem: error.message }
    throw error
  }
}
