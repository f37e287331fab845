import fc from 'fast-check'
import type { Invoice, Line } from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf } from './invoices.ts'

/** The lives of generated subscriptions: which prices they hold, how they are billed, and what happens to them. */

const DAY = 86_400
const FIRST = Date.UTC(2025, 0, 1) / 1000

/** The intervals in which a plan is billed, and the amounts of the plans. Two plans have one price. */
const intervals = {
  week: { unit: 'week', count: 1, months: 84 / 365.25, amounts: [700, 1500, 3900, 1500] },
  month: { unit: 'month', count: 1, months: 1, amounts: [1900, 4900, 12_900, 4900] },
  quarter: { unit: 'month', count: 3, months: 3, amounts: [5500, 14_500, 38_500, 14_500] },
  /** A monthly price, of which three months are paid in advance. The period is the invoice's alone. */
  prepaid: { unit: 'month', count: 3, months: 3, amounts: [5700, 14_700, 38_700, 14_700] },
  year: { unit: 'year', count: 1, months: 12, amounts: [19_000, 49_000, 129_000, 49_000] },
} as const
const plans = ['Basic', 'Pro', 'constructor', 'Twin of Pro']

/** What a subscription holds. */
const held = fc.record({
  plan: fc.constantFrom(0, 1, 2, 3),
  interval: fc.constantFrom<keyof typeof intervals>(
    ...(['month', 'month', 'month', 'year', 'quarter', 'prepaid', 'week'] as const),
  ),
  quantity: fc.integer({ min: 1, max: 4 }),
})
export type Held = typeof held extends fc.Arbitrary<infer Value> ? Value : never

/** Any second up to a maximum but the last of a minute, since an end at such a second is inclusive. */
const second = (max: number) =>
  fc.noBias(fc.integer({ min: 0, max })).map((at) => (at % 60 === 59 ? at - 1 : at))

const event = fc.record({
  /** The seconds since the event before. */
  after: second(150 * DAY),
  /** The seconds before the end of that period, if it is close to it. */
  rest: fc.option(second(2 * DAY)),
  does: fc.constantFrom('plan', 'plan', 'quantity', 'interval', 'cancel', 'expire', 'move'),
  held,
})
type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never

/** A seat more and a seat less, in turn, every day or every second day, at any second of it. */
const seatChanges = fc
  .record({ held, days: fc.constantFrom(1, 2), count: fc.integer({ min: 2, max: 60 }), seats: fc.nat(100) })
  .map(({ held, days, count, seats }) =>
    Array.from(
      { length: count },
      (_, index): Event => ({
        after: days * DAY - 1,
        rest: null,
        does: 'quantity',
        held: { ...held, quantity: seats + 1 + (index % 2) },
      }),
    ),
  )

export const life = fc.record({
  /** Many start within half a day of the start of a month, on its last days or in its last second. */
  start: fc.oneof(
    second(500 * DAY).map((at) => FIRST + at),
    fc.tuple(fc.nat(16), second(DAY)).map(([month, at]) => Date.UTC(2025, month) / 1000 - DAY / 2 + at),
    fc.tuple(fc.nat(8), second(DAY)).map(([month, at]) => Date.UTC(2025, month * 2, 31) / 1000 + at),
    fc.nat(16).map((month) => Date.UTC(2025, month) / 1000 - 1),
  ),
  held,
  currency: fc.constantFrom('EUR', 'USD'),
  percent: fc.constantFrom(0, 20, 50),
  tax: fc.constantFrom('none', 'within', 'on top'),
  round: fc.constantFrom(Math.round, Math.floor, Math.ceil),
  /** How many days late periods are billed. */
  late: fc.constantFrom(0, 0, 2, 35),
  /** Whether prorations are invoiced with the next period, as is usual, not at once. */
  isProratedLater: fc.boolean(),
  events: fc.oneof(
    { weight: 4, arbitrary: fc.array(event, { maxLength: 6 }) },
    { weight: 1, arbitrary: seatChanges },
  ),
  /** What else is recorded at the start. */
  odd: fc.constantFrom('nothing', 'nothing', 'trial', 'setup', 'goodwill', 'empty', 'no lines', 'rebate'),
})
export type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never

const single = (held: Held): Held => ({ ...held, quantity: 1 })

/** A life without discounts and taxes. Prices and quantities alone determine what is true of it. */
export const untaxedLife = life.map((life): Life => ({ ...life, percent: 0, tax: 'none' }))

/** A life without quantities, discounts and taxes. */
export const plainLife = life.map(
  (life): Life => ({
    ...life,
    percent: 0,
    tax: 'none',
    held: single(life.held),
    events: life.events.map((each) => ({ ...each, held: single(each.held) })),
  }),
)

/** Rounds half away from zero. */
const rounded = (amount: number): number => Math.sign(amount) * Math.round(Math.abs(amount)) + 0

const priceOf = ({ currency }: Life, { plan, interval }: Held) => {
  const { unit, count, amounts } = intervals[interval]
  const isPrepaid = interval === 'prepaid'
  const name = plans[plan]!
  return {
    id: `${name} ${interval} ${currency}`,
    title: null,
    currency,
    price: isPrepaid ? amounts[plan]! / count : amounts[plan]!,
    tiered: false,
    type: 'recurring',
    interval: unit,
    interval_count: isPrepaid ? 1 : count,
    product: { id: name, name },
  }
}

/** A period, and the part of it, below 0 for a credit, of a line that is not for the whole. */
type Period = readonly [start: number, end: number, part?: number]

/** Returns a line of what is held. A part of a period is `one_time`, as prorations are recorded. */
export const lineFor = (life: Life, held: Held, [period_start, period_end, part]: Period): Line => {
  const price = priceOf(life, held)
  const whole = intervals[held.interval].amounts[held.plan]! * held.quantity
  const amount = Math.sign(part ?? 1) * life.round(whole * Math.abs(part ?? 1))
  const discount_amount = rounded((amount * life.percent) / 100)
  const taxed = amount - discount_amount
  const tax_amount = { none: 0, within: rounded((taxed * 19) / 119), 'on top': rounded(taxed * 0.19) }[
    life.tax
  ]!
  const recurrence = part === undefined ? price : { type: 'one_time', interval: null, interval_count: null }
  const { type, interval, interval_count } = recurrence
  return lineOf({
    amount,
    discount_amount,
    tax_amount,
    quantity: held.quantity,
    price: price as never,
    ...(held.interval === 'prepaid'
      ? { period_start: null, period_end: null }
      : { period_start, period_end }),
    type,
    interval,
    interval_count,
  })
}

/** Returns what a line comes to without discount and tax. */
export const netOf = (life: Life, { amount, discount_amount, tax_amount }: Line): number =>
  amount! - discount_amount! - (life.tax === 'within' ? tax_amount! : 0)

/** Returns what is held comes to in a month. */
export const monthlyOf = (life: Life, held: Held): number =>
  rounded(netOf(life, lineFor(life, held, [0, 0])) / intervals[held.interval].months)

/** Returns by how much the monthly value of a line may differ, since its discount and its tax are rounded. */
export const roundingOf = (life: Life, held: Held, { amount }: Line): number => {
  const whole = monthlyOf({ ...life, percent: 0, tax: 'none' }, held)
  const parts = (life.percent > 0 ? 0.6 : 0) + (life.tax === 'within' ? 0.6 : 0)
  return parts === 0 ? 0 : (whole * parts) / Math.abs(amount!) + 1
}

export const unitOf = ({ interval }: Held) => intervals[interval]

/** Returns an invoice of lines of a life. Its period is that of the first line. */
export const invoiceFor = (life: Life, invoice: Partial<Invoice>, line_items: Line[]): Invoice => {
  const sum = (key: 'amount' | 'discount_amount' | 'tax_amount') =>
    line_items.reduce((total, line) => total + (line[key] ?? 0), 0)
  const discounts = { 0: [], 20: ['welcome'], 50: ['welcome', 'loyal'] }[life.percent]!
  const created = invoice.created!
  return invoiceOf({
    period_start: line_items[0]?.period_start ?? created,
    period_end: line_items[0]?.period_end ?? created,
    currency: life.currency,
    total: sum('amount') - sum('discount_amount') + (life.tax === 'on top' ? sum('tax_amount') : 0),
    discounts: discounts.map((id) => ({ id, name: 'A discount' })) as Invoice['discounts'],
    line_items,
    ...invoice,
  })
}
