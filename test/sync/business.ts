import fc from 'fast-check'
import type { Seed } from '../../tools/testing/index.ts'

/** A generated business, to compare the figures of programs: 500 customers with all that happens to subscriptions. */

type Invoice = NonNullable<Seed['invoices']>[number]
type Line = NonNullable<NonNullable<Invoice['line_items']>[number]>

const DAY = 86_400
const FIRST = Date.UTC(2025, 0, 1) / 1000
const plans = ['basic', 'pro', 'team'] as const
const amounts = {
  month: [1900, 4900, 12_900],
  year: [19_000, 49_000, 129_000],
  week: [700, 1500, 3900],
} as const
type Interval = keyof typeof amounts

const life = fc.record({
  start: fc.integer({ min: FIRST, max: FIRST + 500 * DAY }),
  interval: fc.constantFrom<Interval>('month', 'month', 'month', 'year', 'week'),
  plan: fc.constantFrom(0, 1),
  currency: fc.constantFrom('EUR', 'USD'),
  tax: fc.constantFrom('none', 'within', 'on top'),
  discounts: fc.constantFrom<string[]>([], [], ['welcome'], ['welcome', 'loyal']),
  periods: fc.integer({ min: 1, max: 12 }),
  trial: fc.boolean(),
  /** The period after which nothing is billed for two. */
  pause: fc.option(fc.integer({ min: 1, max: 6 })),
  /** The share of the last period after which the plan is changed, or the subscription cancelled. */
  change: fc.option(fc.double({ min: 0.1, max: 0.9, noNaN: true })),
  cancels: fc.boolean(),
  /** How many days late renewals are recorded. */
  late: fc.constantFrom(0, 0, 2, 5),
  hasSecond: fc.boolean(),
})

type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never

/** Returns the start of a period by calendar, on the day of the first one or the last of a shorter month. */
const startOf = ({ start, interval }: Life, index: number): number => {
  if (interval === 'week') return start + index * 7 * DAY
  const first = new Date(start * 1000)
  const month = first.getUTCMonth() + index * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(first.getUTCDate(), lastDay)
  return Date.UTC(first.getUTCFullYear(), month, day) / 1000 + (start % DAY)
}

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** Returns a line of a plan for a period. A part of one is `one_time`, as prorations are recorded. */
const lineOf = (of: Life, plan: number, [from, to, part]: readonly [number, number, number?]): Line => {
  const amount = Math.round(amounts[of.interval][plan]! * (part ?? 1))
  const discount_amount = of.discounts.length > 0 && part === undefined ? Math.round(amount / 10) : null
  const taxed = amount - (discount_amount ?? 0)
  const taxes = { none: null, within: Math.round((taxed * 19) / 119), 'on top': Math.round(taxed * 0.19) }
  return {
    ...{ amount, discount_amount, tax_amount: taxes[of.tax as keyof typeof taxes] },
    ...{ period_start: dateOf(from), period_end: dateOf(to), price_id: `${plans[plan]}-${of.interval}` },
    ...(part === undefined
      ? { type: 'recurring', interval: of.interval, interval_count: 1 }
      : { type: 'one_time' }),
  }
}

/** Returns the invoices of a life; of a second subscription if it has a name. */
const invoicesOf = (of: Life, number: number, name = 'first'): Invoice[] => {
  const invoices: Invoice[] = []
  const record = (created: number, line_items: Line[], discounts: string[] = []) => {
    const sum = (key: 'amount' | 'discount_amount' | 'tax_amount') =>
      line_items.reduce((total, line) => total + (line[key] ?? 0), 0)
    invoices.push({
      ...{ id: `${number}-${name}-${invoices.length}`, customer_id: number, created: dateOf(created) },
      ...{ subscription_id: `${number}-${name}`, currency: of.currency, discounts },
      period_start: line_items[0]!.period_start!,
      period_end: line_items[0]!.period_end!,
      total: sum('amount') - sum('discount_amount') + (of.tax === 'on top' ? sum('tax_amount') : 0),
      line_items,
    })
  }
  if (of.trial) record(of.start - 14 * DAY, [lineOf(of, of.plan, [of.start - 14 * DAY, of.start, 0])])
  for (let index = 0; index < of.periods; index += 1) {
    if (of.pause !== null && index >= of.pause && index < of.pause + 2) continue
    const [from, to] = [startOf(of, index), startOf(of, index + 1)]
    record(from + (index > 0 ? of.late : 0) * DAY, [lineOf(of, of.plan, [from, to])], of.discounts)
    if (of.change === null || index + 1 < of.periods) continue
    const at = Math.round(from + (to - from) * of.change)
    const rest = (to - at) / (to - from)
    const charge = of.cancels ? [] : [lineOf(of, of.plan + 1, [at, to, rest])]
    record(at, [lineOf(of, of.plan, [at, to, -rest]), ...charge])
  }
  return invoices
}

/** Returns an invoice of what figures cannot use: an empty period, and either a credit without a plan or no lines at all. */
const oddOf = (of: Life, number: number): Invoice => ({
  ...{ id: `${number}-odd`, customer_id: number, subscription_id: `${number}-first`, currency: of.currency },
  ...{ created: dateOf(of.start), period_start: dateOf(of.start), period_end: dateOf(of.start), total: 5 },
  line_items:
    number % 2 === 0 ? [lineOf(of, 0, [of.start, of.start]), { type: 'one_time', amount: -100 }] : [],
})

/** Returns a business as bodies of creates. */
export const business = (customers: number) => {
  const lives = fc.sample(life, { numRuns: customers, seed: 12 })
  return {
    products: plans.map((id) => ({ id, name: id === 'team' ? 'pro' : id })),
    prices: plans.flatMap((plan, index) =>
      (['week', 'month', 'year'] as const).map((interval) => ({
        ...{ id: `${plan}-${interval}`, product_id: plan, currency: 'EUR', type: 'recurring' as const },
        ...{ price: amounts[interval][index]!, interval, interval_count: 1 },
      })),
    ),
    discounts: ['welcome', 'loyal'].map((id) => ({
      ...{ id, name: 'A discount', duration: 'once' as const, percent_off: 10, currency: 'EUR' },
    })),
    customers: lives.map((_, number) => ({ id: number })),
    invoices: lives.flatMap((of, number) => [
      ...invoicesOf(of, number),
      ...(number % 25 === 0 ? [oddOf(of, number)] : []),
      ...(of.hasSecond ? invoicesOf({ ...of, start: of.start + 40 * DAY, plan: 1 }, number, 'second') : []),
    ]),
  } satisfies Seed
}
