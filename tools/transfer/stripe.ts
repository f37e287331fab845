import { invoiceTable } from './stripe-invoice.ts'
import {
  at,
  type FindRecurrence,
  id,
  type Json,
  listAt,
  money,
  Refusal,
  readAll,
  refuse,
  same,
  type Table,
  time,
  value,
} from './stripe-values.ts'

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
