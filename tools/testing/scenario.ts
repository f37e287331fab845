import type { Seed } from './options.ts'

type Invoice = NonNullable<Seed['invoices']>[number]
type Line = NonNullable<NonNullable<Invoice['line_items']>[number]>

const MONTHS = 24
const CUSTOMERS = 24
const MAX_LINES = 250
const currencies = ['EUR', 'USD', 'JPY'] as const
/** Monthly prices in minor units; the yen has none, so its prices are in whole yen. */
const plans = { basic: { EUR: 990, USD: 1090, JPY: 1600 }, pro: { EUR: 2900, USD: 3200, JPY: 4800 } } as const
const planNames = ['basic', 'pro'] as const
const monthly = { type: 'recurring', interval: 'month', interval_count: 1 } as const

/** Pseudo-random numbers in [0, 1), the same sequence for the same `seed` (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed += 0x6d2b79f5
  const mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
  const again = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
  return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32
}

/** The first day of a month, counted from January 1970. */
const dayOne = (month: number): string => new Date(Date.UTC(1970, month, 1)).toISOString().slice(0, 10)

/** The zero-based months in which a customer starts, upgrades, receives a credit and leaves; Infinity means never. */
interface Life {
  readonly number: number
  /** The scenario's first month, counted from January 1970. */
  readonly first: number
  readonly currency: (typeof currencies)[number]
  readonly start: number
  readonly upgrade: number
  readonly credit: number
  readonly end: number
  /** Whether the first invoice has the welcome discount. */
  readonly welcomed: boolean
}

const lifeOf = (number: number, first: number): Life => {
  const random = randomFrom(number)
  const after = (month: number, chance: number, span: number) =>
    random() < chance ? month + 1 + Math.floor(random() * span) : Number.POSITIVE_INFINITY
  const start = Math.floor(random() * (MONTHS - 4))
  const currency = currencies[Math.floor(random() * currencies.length)]!
  const [upgrade, end, credit] = [after(start, 0.4, 8), after(start, 0.35, 14), after(start, 0.2, 6)]
  return { number, first, currency, start, upgrade, credit, end, welcomed: random() < 0.3 }
}

/** The invoice of a month; one with a `suffix` is created in the middle of the month, beside the regular one. */
const invoiceOf = (
  { number, first, currency, welcomed, start }: Life,
  month: number,
  { lines, suffix = '' }: { readonly lines: readonly Line[]; readonly suffix?: string },
): Invoice => {
  const period = { period_start: dayOne(first + month), period_end: dayOne(first + month + 1) }
  return {
    id: `invoice-${number}-${period.period_start.slice(0, 7)}${suffix}`,
    total: lines.reduce((sum, line) => sum + (line.amount ?? 0) - (line.discount_amount ?? 0), 0),
    created: suffix === '' ? period.period_start : period.period_start.replace(/01$/, '15'),
    ...period,
    currency,
    customer_id: `customer-${number}`,
    subscription_id: `subscription-${number}`,
    discounts: welcomed && month === start && suffix === '' ? ['welcome'] : [],
    line_items: lines.map((line) => ({ currency, quantity: 1, ...period, ...line })),
  }
}

/** The invoices of a month: the regular one, and possibly a credit of half the price. */
const invoicesIn = (life: Life, month: number): Invoice[] => {
  const { currency, start, upgrade, credit, welcomed } = life
  const id = month >= upgrade ? 'pro' : 'basic'
  const amount = plans[id][currency]
  const discount_amount = welcomed && month === start ? Math.round(amount / 10) : null
  const unused: Line = {
    id: 'unused',
    amount: -plans.basic[currency],
    type: 'one_time',
    price_id: `basic-${currency}`,
  }
  const credited: Line = { id: 'credit', amount: -Math.round(amount / 2), type: 'one_time' }
  const price_id = `${id}-${currency}`
  const lines = [
    { id, amount, discount_amount, price_id, ...monthly },
    ...(month === upgrade ? [unused] : []),
  ]
  return [
    invoiceOf(life, month, { lines }),
    ...(month === credit ? [invoiceOf(life, month, { lines: [credited], suffix: '-credit' })] : []),
  ]
}

const invoicesOf = (life: Life): Invoice[] => {
  const months = Math.min(life.end, MONTHS) - life.start
  return Array.from({ length: months }, (_, index) => invoicesIn(life, life.start + index)).flat()
}

/** An invoice with as many lines as the API accepts: the usage of the last month. */
const usageInvoice = (life: Life): Invoice => {
  const lines = Array.from({ length: MAX_LINES }, (_, index) => ({
    id: `usage-${index}`,
    amount: 10 + index,
    quantity: 1 + (index % 9),
  }))
  return invoiceOf(life, MONTHS - 1, { lines, suffix: '-usage' })
}

/**
 * A business's first two years as a seed, up to the month of `now` (milliseconds since the epoch) and the same for every
 * time in it: 24 customers in three currencies, with upgrades, churn, discounts, credits and an invoice of 250 lines.
 */
export const scenario = (now: number): Seed => {
  const date = new Date(now)
  const first = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth() - (MONTHS - 1)
  const lives = Array.from({ length: CUSTOMERS }, (_, index) => lifeOf(index + 1, first))
  return {
    products: [
      { id: 'basic', name: 'Basic' },
      { id: 'pro', name: 'Pro' },
    ],
    prices: planNames.flatMap((plan) =>
      currencies.map((currency) => ({
        id: `${plan}-${currency}`,
        product_id: plan,
        title: `${plan}, monthly`,
        currency,
        price: plans[plan][currency],
        ...monthly,
      })),
    ),
    customers: lives.map(({ number, start }) => ({
      id: `customer-${number}`,
      name: `Customer ${number}`,
      email: `customer-${number}@example.org`,
      created: dayOne(first + start),
      metadata: { seats: 1 + (number % 5) },
    })),
    discounts: [{ id: 'welcome', name: 'Welcome', duration: 'once', percent_off: 10, currency: 'EUR' }],
    invoices: [...lives.flatMap(invoicesOf), usageInvoice(lives[0]!)].sort(
      (a, b) => Number(new Date(a.created)) - Number(new Date(b.created)),
    ),
  }
}
