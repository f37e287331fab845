import fc from 'fast-check'
import type { Invoice, Line } from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, priceOf } from './invoices.ts'

/** The lives of generated subscriptions: the terms that they have, how they are billed, and what happens to them. */

const DAY = 86_400
const FIRST_START = Date.UTC(2025, 0, 1) / 1000

/** The intervals in which a plan is billed, and the amounts of the plans. Two plans have the same amounts. */
const intervals = {
  week: { unit: 'week', count: 1, months: 84 / 365.25, amounts: [700, 1500, 3900, 1500] },
  month: { unit: 'month', count: 1, months: 1, amounts: [1900, 4900, 12_900, 4900] },
  quarter: { unit: 'month', count: 3, months: 3, amounts: [5500, 14_500, 38_500, 14_500] },
  /** A monthly price that is paid three months in advance. The invoice has the period, its line has none. */
  prepaid: { unit: 'month', count: 3, months: 3, amounts: [5700, 14_700, 38_700, 14_700] },
  year: { unit: 'year', count: 1, months: 12, amounts: [19_000, 49_000, 129_000, 49_000] },
} as const
const plans = ['Basic', 'Pro', 'constructor', 'Twin of Pro']

/** The terms of a subscription: the index of its plan, its interval and its quantity. */
const terms = fc.record({
  plan: fc.constantFrom(0, 1, 2, 3),
  interval: fc.constantFrom<keyof typeof intervals>(
    ...(['month', 'month', 'month', 'year', 'quarter', 'prepaid', 'week'] as const),
  ),
  quantity: fc.integer({ min: 1, max: 4 }),
})
export type Terms = typeof terms extends fc.Arbitrary<infer Value> ? Value : never

/** Any number of seconds up to a maximum, except the last second of a minute: a period that ends then is inclusive of its end. */
const secondsUpTo = (max: number) =>
  fc.noBias(fc.integer({ min: 0, max })).map((seconds) => (seconds % 60 === 59 ? seconds - 1 : seconds))

const event = fc.record({
  /** The seconds since the previous event. */
  secondsAfter: secondsUpTo(150 * DAY),
  /** The seconds from the event to the end of its period, if it is to happen close to that end. */
  secondsBeforeEnd: fc.option(secondsUpTo(2 * DAY)),
  /** Which of the terms changes, or how the subscription ends, or "move" if its id changes. */
  action: fc.constantFrom('plan', 'plan', 'quantity', 'interval', 'cancel', 'expire', 'move'),
  /** The new terms. A change of one term takes only that one. */
  terms,
})
export type LifeEvent = typeof event extends fc.Arbitrary<infer Value> ? Value : never

/** One seat more and one seat less, in turn, each day or every second day, at any second of it. */
const seatChanges = fc
  .record({ terms, days: fc.constantFrom(1, 2), count: fc.integer({ min: 2, max: 60 }), seats: fc.nat(100) })
  .map(({ terms, days, count, seats }) =>
    Array.from(
      { length: count },
      (_, index): LifeEvent => ({
        secondsAfter: days * DAY - 1,
        secondsBeforeEnd: null,
        action: 'quantity',
        terms: { ...terms, quantity: seats + 1 + (index % 2) },
      }),
    ),
  )

export const life = fc.record({
  /** Many start within half a day of the start of a month, on its last days or in its last second. */
  start: fc.oneof(
    secondsUpTo(500 * DAY).map((seconds) => FIRST_START + seconds),
    fc
      .tuple(fc.nat(16), secondsUpTo(DAY))
      .map(([month, seconds]) => Date.UTC(2025, month) / 1000 - DAY / 2 + seconds),
    fc
      .tuple(fc.nat(8), secondsUpTo(DAY))
      .map(([month, seconds]) => Date.UTC(2025, month * 2, 31) / 1000 + seconds),
    fc.nat(16).map((month) => Date.UTC(2025, month) / 1000 - 1),
  ),
  terms,
  currency: fc.constantFrom('EUR', 'USD'),
  discountPercent: fc.constantFrom(0, 20, 50),
  tax: fc.constantFrom('none', 'within', 'on top'),
  round: fc.constantFrom(Math.round, Math.floor, Math.ceil),
  /** How many days after their start periods are billed. */
  daysLate: fc.constantFrom(0, 0, 2, 35),
  /** Whether prorations are invoiced with the next period, as is usual, and not at once. */
  isProratedLater: fc.boolean(),
  events: fc.oneof(
    { weight: 4, arbitrary: fc.array(event, { maxLength: 6 }) },
    { weight: 1, arbitrary: seatChanges },
  ),
  /** What is recorded at the start besides the subscription. */
  extra: fc.constantFrom('nothing', 'nothing', 'trial', 'setup', 'goodwill', 'empty', 'no lines', 'rebate'),
})
export type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never

/** A life without discounts and taxes: its revenue follows from prices and quantities alone. */
export const untaxedLife = life.map((life): Life => ({ ...life, discountPercent: 0, tax: 'none' }))

const withTerms = (life: Life, changed: (terms: Terms) => Terms): Life => ({
  ...life,
  terms: changed(life.terms),
  events: life.events.map((event) => ({ ...event, terms: changed(event.terms) })),
})

/** A life of plans whose intervals are whole months. */
export const monthlyLife = untaxedLife.map((life) =>
  withTerms(life, (terms) =>
    terms.interval === 'week' || terms.interval === 'prepaid' ? { ...terms, interval: 'quarter' } : terms,
  ),
)

/** The same with at most two changes. */
export const calmLife = monthlyLife.map((life): Life => ({ ...life, events: life.events.slice(0, 2) }))

/** Rounds half away from zero. Adding 0 turns -0 into 0. */
const rounded = (amount: number): number => Math.sign(amount) * Math.round(Math.abs(amount)) + 0

/** Returns the tax of an amount after discount, at 19 percent. */
const taxOf = (amount: number, tax: Life['tax']): number => {
  if (tax === 'within') return rounded((amount * 19) / 119)
  if (tax === 'on top') return rounded(amount * 0.19)
  return 0
}

const priceFor = ({ currency }: Life, { plan, interval }: Terms) => {
  const { unit, count, amounts } = intervals[interval]
  const isPrepaid = interval === 'prepaid'
  const name = plans[plan]!
  return priceOf(name, {
    id: `${name} ${interval} ${currency}`,
    title: null,
    currency,
    price: isPrepaid ? amounts[plan]! / count : amounts[plan]!,
    tiered: false,
    type: 'recurring',
    interval: unit,
    interval_count: isPrepaid ? 1 : count,
  })
}

/** The period of a line. */
export interface LinePeriod {
  readonly start: number
  readonly end: number
  /** The share of the price, below 0 for a credit. */
  readonly share?: number
  readonly isProration?: boolean
}

/** Returns the line that bills terms for a period. A proration is `one_time`, as billing systems record it. */
export const lineFor = (
  life: Life,
  terms: Terms,
  { start, end, share = 1, isProration = false }: LinePeriod,
): Line => {
  const price = priceFor(life, terms)
  const fullAmount = intervals[terms.interval].amounts[terms.plan]! * terms.quantity
  const round = isProration ? life.round : Math.round
  const amount = Math.sign(share) * round(fullAmount * Math.abs(share))
  const discount_amount = rounded((amount * life.discountPercent) / 100)
  const isPrepaid = terms.interval === 'prepaid'
  return lineOf({
    amount,
    discount_amount,
    tax_amount: taxOf(amount - discount_amount, life.tax),
    quantity: terms.quantity,
    price,
    period_start: isPrepaid ? null : start,
    period_end: isPrepaid ? null : end,
    type: isProration ? 'one_time' : price.type,
    interval: isProration ? null : price.interval,
    interval_count: isProration ? null : price.interval_count,
  })
}

/** Returns the amount of a line without discount and tax. */
export const netOf = (life: Life, { amount, discount_amount, tax_amount }: Line): number =>
  amount! - discount_amount! - (life.tax === 'within' ? tax_amount! : 0)

/** Returns the monthly amount of terms, without discount and tax, if a share of the price is billed at once. */
export const monthlyOf = (life: Life, terms: Terms, share = 1): number => {
  const billed = lineFor(life, terms, { start: 0, end: 0, share })
  return rounded(netOf(life, billed) / (intervals[terms.interval].months * share))
}

/**
 * Returns the largest difference between the monthly amount computed from a proration and the exact one. The rounding of
 * its discount and of its tax changes the line by up to half a minor unit each, which the figures extrapolate to the full
 * amount.
 */
export const toleranceOf = (life: Life, terms: Terms, { amount }: Line): number => {
  const fullMonthly = monthlyOf({ ...life, discountPercent: 0, tax: 'none' }, terms)
  const roundedBy = (life.discountPercent > 0 ? 0.6 : 0) + (life.tax === 'within' ? 0.6 : 0)
  return roundedBy === 0 || amount === 0 ? 0 : (fullMonthly * roundedBy) / Math.abs(amount!) + 1
}

/** Returns the unit of the interval of terms and the number of units. */
export const intervalOf = ({ interval }: Terms) => intervals[interval]

const discountIds: Readonly<Record<number, string[]>> = { 0: [], 20: ['welcome'], 50: ['welcome', 'loyal'] }

/** Returns an invoice of lines of a life. Its period is the period of the first line, unless the invoice has its own. */
export const invoiceFor = (life: Life, invoice: Partial<Invoice>, line_items: Line[]): Invoice => {
  const sum = (key: 'amount' | 'discount_amount' | 'tax_amount') =>
    line_items.reduce((total, line) => total + (line[key] ?? 0), 0)
  const discounts = discountIds[life.discountPercent]!.map((id) => ({ id, name: 'A discount' }))
  return invoiceOf({
    period_start: line_items[0]?.period_start ?? invoice.created!,
    period_end: line_items[0]?.period_end ?? invoice.created!,
    currency: life.currency,
    total: sum('amount') - sum('discount_amount') + (life.tax === 'on top' ? sum('tax_amount') : 0),
    discounts: discounts as Invoice['discounts'],
    line_items,
    ...invoice,
  })
}
