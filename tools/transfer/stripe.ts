import { invoiceTable } from './stripe-invoice.ts'
import {
  at,
  id,
  type Json,
  listAt,
  money,
  type Recurrences,
  Refusal,
  readAll,
  refuse,
  type Table,
  time,
  value,
} from './stripe-values.ts'

/** What becomes of one kind of Stripe's objects. */
interface Kind {
  readonly type: string
  readonly table: Table
  /** Invoices with these statuses are left out: they are no revenue. */
  readonly skipped?: readonly string[]
}

const unitAmount = (price: Json): unknown =>
  at(price, 'unit_amount') ??
  at(listAt(price, 'tiers')[0], 'unit_amount') ??
  refuse(
    'unit_amount is null. Fetch tiered prices with expand[]=data.tiers; fractions of a cent cannot be recorded.',
  )

const wholePercent = (coupon: Json): unknown => {
  const percent = at(coupon, 'percent_off')
  return percent === undefined || Number.isInteger(percent)
    ? percent
    : refuse('percent_off is a fraction, and a discount here takes off whole percents.')
}

/** Stripe's objects by their `object`, and what each field of ours is in them. */
const kinds: Readonly<Record<string, Kind>> = {
  product: { type: 'product', table: { id: value('id'), name: value('name') } },
  price: {
    type: 'price',
    table: {
      id: value('id'),
      product_id: id('product'),
      title: value('nickname'),
      currency: value('currency'),
      price: (price, recurrences) => money('amount')({ ...price, amount: unitAmount(price) }, recurrences),
      tiered: ({ billing_scheme }) => billing_scheme === 'tiered',
      type: value('type'),
      interval: value('recurring.interval'),
      interval_count: value('recurring.interval_count'),
    },
  },
  customer: {
    type: 'customer',
    table: {
      id: value('id'),
      name: value('name'),
      email: value('email'),
      description: value('description'),
      phone: value('phone'),
      created: time('created'),
      metadata: value('metadata'),
    },
  },
  coupon: {
    type: 'discount',
    table: {
      id: value('id'),
      name: value('name', 'id'),
      duration: value('duration'),
      duration_in_months: value('duration_in_months'),
      amount_off: money('amount_off'),
      percent_off: wholePercent,
      // ISO 4217 has a code for no currency, and a percentage has none.
      currency: (coupon) => at(coupon, 'currency') ?? 'XXX',
    },
  },
  invoice: { type: 'invoice', table: invoiceTable, skipped: ['draft', 'void', 'uncollectible'] },
}

/** What an object of Stripe's becomes: a create's body, a customer to be anonymised, or nothing, and why. */
export type Mapped =
  | { readonly type: string; readonly body: Json; readonly isErased?: true }
  | { readonly type: string; readonly problem: string }
  | { readonly skip: string }

/** Maps one object, of any version of Stripe's API. Pure. */
export const mapped = (object: Json, recurrences: Recurrences): Mapped => {
  const name = String(object.object)
  const kind = kinds[name]
  if (name === 'subscription') return { skip: 'subscription: it follows from its invoices' }
  if (!kind) return { skip: `${name}: not recorded here` }
  const { type, table, skipped = [] } = kind
  if (object.deleted === true)
    return name === 'customer'
      ? { type, body: { id: object.id }, isErased: true }
      : { skip: `${name}: deleted` }
  const status = String(object.status)
  if (skipped.includes(status)) return { skip: `${name}: ${status}` }
  try {
    return { type, body: readAll(table, object, recurrences) }
  } catch (error) {
    if (error instanceof Refusal) return { type, problem: error.message }
    throw error
  }
}

/** The recurrences of prices that an object tells: a price its own, a subscription those of its items. */
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
