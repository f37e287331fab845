/** The mapping of Stripe's objects. Everything here is pure. */

export type Json = Readonly<Record<string, unknown>>
/** Returns `interval` and `interval_count` of a price, by Stripe's id. */
export type FindRecurrence = (priceId: string) => Json | undefined
/** Reads the value of one of our fields from an object of Stripe's. */
type Read = (object: Json, findRecurrence: FindRecurrence) => unknown
type Table = Readonly<Record<string, Read>>

/** An object cannot be mapped. The message is the same for all objects with this fault, so that they can be counted. */
class Refusal extends Error {}

const refuse = (why: string): never => {
  throw new Refusal(why)
}

const step = (value: unknown, key: string): unknown => (value as Json | null | undefined)?.[key]

/** The first value at these paths that is neither absent nor null. */
const at = (object: unknown, ...paths: string[]): unknown => {
  for (const path of paths) {
    const found = path.split('.').reduce(step, object)
    if (found !== null && found !== undefined) return found
  }
  return undefined
}

const listAt = (object: unknown, ...paths: string[]): Json[] => (at(object, ...paths) ?? []) as Json[]

/** The id of another object, which may be embedded ("expanded"). */
const idAt = (object: unknown, ...paths: string[]): unknown => {
  const found = at(object, ...paths)
  return at(found, 'id') ?? found
}

/** Seconds since the epoch as RFC 3339. Any other value stays, for the service to refuse. */
const timeOf = (seconds: unknown): unknown =>
  Number.isSafeInteger(seconds) ? new Date((seconds as number) * 1000).toISOString() : seconds

/** Currencies in which Stripe's unit is not the minor unit of ISO 4217. */
const inUnits: ReadonlyMap<unknown, (amount: number) => number> = new Map([
  ['isk', (amount) => amount / 100],
  ['ugx', (amount) => amount / 100],
  ['mga', (amount) => amount * 100],
])

const amountOf = (currency: unknown, amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  const ours = inUnits.get(currency)?.(amount) ?? amount
  return Number.isInteger(ours)
    ? ours
    : refuse("An amount is not a whole number of the currency's minor unit.")
}

const value =
  (...paths: string[]): Read =>
  (object) =>
    at(object, ...paths)

/** Fields that are named as Stripe's are. */
const same = (...names: string[]): Table => Object.fromEntries(names.map((name) => [name, value(name)]))

const id =
  (...paths: string[]): Read =>
  (object) =>
    idAt(object, ...paths)

const time =
  (path: string): Read =>
  (object) =>
    timeOf(at(object, path))

const money =
  (...paths: string[]): Read =>
  (object) =>
    amountOf(object.currency, at(object, ...paths))

/** The sum of the amounts in a list; undefined for an empty list. */
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

/** Applies a table to an object. */
const readAll = (table: Table, object: Json, findRecurrence: FindRecurrence): Json =>
  Object.fromEntries(Object.entries(table).map(([name, read]) => [name, read(object, findRecurrence)]))

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
const invoiceTable: Table = {
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

/** How one kind of Stripe's objects is mapped. */
interface Kind {
  readonly type: string
  readonly table: Table
  /** Objects with these statuses are skipped: such invoices are not revenue. */
  readonly skipped?: readonly string[]
}

const unitAmount = (price: Json): unknown =>
  at(price, 'unit_amount') ??
  at(listAt(price, 'tiers')[0], 'unit_amount') ??
  refuse(
    'unit_amount is null: fetch tiered prices with expand[]=data.tiers. Fractions of a cent cannot be recorded.',
  )

const wholePercent = (coupon: Json): unknown => {
  const percent = at(coupon, 'percent_off')
  return percent === undefined || Number.isInteger(percent)
    ? percent
    : refuse('percent_off must be a whole number.')
}

/** The mapping of Stripe's objects, by their `object`: how each of our fields is read. */
const kinds: Readonly<Record<string, Kind>> = {
  product: { type: 'product', table: same('id', 'name') },
  price: {
    type: 'price',
    table: {
      id: value('id'),
      product_id: id('product'),
      title: value('nickname'),
      currency: value('currency'),
      price: (price, findRecurrence) =>
        money('amount')({ ...price, amount: unitAmount(price) }, findRecurrence),
      tiered: ({ billing_scheme }) => billing_scheme === 'tiered',
      type: value('type'),
      interval: value('recurring.interval'),
      interval_count: value('recurring.interval_count'),
    },
  },
  customer: {
    type: 'customer',
    table: {
      ...same('id', 'name', 'email', 'description', 'phone'),
      created: time('created'),
      ...same('metadata'),
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
}

/** The result of mapping an object: a create's body, a problem, or the reason why it is skipped. */
export type Mapping =
  | { readonly type: string; readonly body: Json; readonly isErased?: true }
  | { readonly type?: string; readonly problem: string }
  | { readonly skip: string }

/** Maps an object of any version of Stripe's API. Pure. */
export const mapObject = (object: Json, findRecurrence: FindRecurrence): Mapping => {
  const name = object.object
  if (typeof name !== 'string')
    return { problem: 'An object of Stripe must have "object", such as "customer".' }
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
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
    return { type, body: readAll(table, object, findRecurrence) }
  } catch (error) {
    if (error instanceof Refusal) return { type, problem: error.message }
    throw error
  }
}

/** The ids and recurrences of the prices in an object: a price, or those of a subscription's items. */
export const recurrencesIn = (object: Json): [string, Json][] => {
  const prices =
    object.object === 'price'
      ? [object]
      : listAt(object, 'items.data').map((item) => at(item, 'price', 'plan'))
  return prices.flatMap((price): [string, Json][] => {
    const { interval, interval_count } = (at(price, 'recurring') ?? {}) as Json
    return interval ? [[String(at(price, 'id')), { interval, interval_count }]] : []
  })
}
