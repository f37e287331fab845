import type { Seed } from './options.ts'
import { randomFrom } from './random.ts'

type Invoice = NonNullable<Seed['invoices']>[number]
type Line = NonNullable<NonNullable<Invoice['line_items']>[number]>

const MONTHS = 24
const CUSTOMERS = 24
const MAX_LINES = 250
const currencies = ['EUR', 'USD', 'JPY'] as const
/** Monthly prices in minor units; the yen has none, so its prices are in whole yen. A year costs ten months. */
const plans = {
  basic: { EUR: 990, USD: 1090, JPY: 1600 },
  pro: { EUR: 2900, USD: 3200, JPY: 4800 },
  support: { EUR: 1500, USD: 1600, JPY: 2400 },
} as const
type Plan = keyof typeof plans
const planNames = ['basic', 'pro', 'support'] as const
const recurring = (interval: 'month' | 'year') =>
  ({ type: 'recurring', interval, interval_count: 1 }) as const

/** A day of a month, counted from January 1970; the first without `day`. */
const dayOf = (month: number, day = 1): string =>
  new Date(Date.UTC(1970, month, day)).toISOString().slice(0, 10)

/**
 * Returns what happens to a customer: the zero-based months in which they start, upgrade (in the middle of the month), pause,
 * receive a credit and leave, of which Infinity means never, and how they pay.
 */
const lifeOf = (number: number, first: number) => {
  const random = randomFrom(number)
  const after = (month: number, chance: number, span: number) =>
    random() < chance ? month + 1 + Math.floor(random() * span) : Number.POSITIVE_INFINITY
  const start = Math.floor(random() * (MONTHS - 4))
  const currency = currencies[Math.floor(random() * currencies.length)]!
  // The order of these lines is that of the random numbers, so another order would make another scenario.
  const upgrade = after(start, 0.4, 8)
  const end = after(start, 0.35, 14)
  const credit = after(start, 0.2, 6)
  const hasWelcomeDiscount = random() < 0.3
  const hasTrial = random() < 0.3 && start > 0
  const isYearly = random() < 0.2
  /** The first of two months without an invoice. */
  const pause = after(start + 1, 0.25, 8)
  /** The month in which a second subscription begins. */
  const second = after(start, 0.25, 6)
  return {
    number,
    first,
    currency,
    start,
    upgrade,
    end,
    credit,
    hasWelcomeDiscount,
    hasTrial,
    isYearly,
    pause,
    second,
  }
}
type Life = ReturnType<typeof lifeOf>

/** What an invoice bills; the customer's data are added to it. */
interface Bill {
  /** The first day that it bills, and the first one after them. */
  readonly period: readonly [string, string]
  readonly lines: readonly Line[]
  /** The end of the id, which distinguishes it from the regular invoice of its month. */
  readonly suffix?: string
  readonly subscription?: string
  readonly discounts?: readonly string[]
}

/** Returns the value-added tax within an amount: 19 % in euros. */
const taxIn = (currency: string, amount: number): number | null =>
  currency === 'EUR' ? Math.round((amount * 19) / 119) : null

const invoiceOf = ({ number, currency }: Life, bill: Bill): Invoice => {
  const { lines, suffix = '', subscription = '', discounts = [] } = bill
  const [periodStart, periodEnd] = bill.period
  const net = (line: Line): number => (line.amount ?? 0) - (line.discount_amount ?? 0)
  return {
    id: `invoice-${number}-${periodStart.slice(0, 7)}${subscription}${suffix}`,
    total: lines.reduce((sum, line) => sum + net(line), 0),
    created: periodStart,
    period_start: periodStart,
    period_end: periodEnd,
    currency,
    discounts,
    customer_id: `customer-${number}`,
    subscription_id: `subscription-${number}${subscription}`,
    line_items: lines.map((line) => ({
      currency,
      quantity: 1,
      tax_amount: taxIn(currency, net(line)),
      ...line,
    })),
  }
}

const lineOf = ({ currency }: Life, plan: Plan, interval: 'month' | 'year' = 'month'): Line => ({
  id: plan,
  amount: plans[plan][currency] * (interval === 'year' ? 10 : 1),
  price_id: interval === 'year' ? `${plan}-yearly-${currency}` : `${plan}-${currency}`,
  ...recurring(interval),
})

/** An upgrade on the 16th: credits the rest of the month of Basic, and bills that of Pro. */
const upgradeIn = (life: Life, month: number): Invoice => {
  const start = dayOf(life.first + month, 16)
  const end = dayOf(life.first + month + 1)
  const days = new Date(Date.UTC(1970, life.first + month + 1, 0)).getUTCDate()
  const part = (id: string, plan: Plan, sign: 1 | -1): Line => ({
    id,
    type: 'one_time',
    price_id: `${plan}-${life.currency}`,
    period_start: start,
    period_end: end,
    amount: sign * Math.round((plans[plan][life.currency] * (days - 15)) / days),
  })
  const lines = [part('unused', 'basic', -1), part('rest', 'pro', 1)]
  return invoiceOf(life, { period: [start, end], lines, suffix: '-upgrade' })
}

/** A credit of half the price, as goodwill: it has no period, since all of the month was used. */
const creditIn = (life: Life, month: number, plan: Plan): Invoice => {
  const day = dayOf(life.first + month, 15)
  const amount = -Math.round(plans[plan][life.currency] / 2)
  const lines: Line[] = [{ id: 'credit', amount, type: 'one_time' }]
  return invoiceOf(life, { period: [day, day], lines, suffix: '-credit' })
}

/** The invoices of a month: the regular one, and possibly an upgrade and a credit. None in a pause. */
const invoicesIn = (life: Life, month: number): Invoice[] => {
  const { first, start, upgrade, credit, pause, hasWelcomeDiscount } = life
  if (month >= pause && month < pause + 2) return []
  const plan = month > upgrade ? 'pro' : 'basic'
  const isDiscounted = hasWelcomeDiscount && month === start
  const line = lineOf(life, plan)
  const regular = invoiceOf(life, {
    period: [dayOf(first + month), dayOf(first + month + 1)],
    lines: [{ ...line, discount_amount: isDiscounted ? Math.round(line.amount! / 10) : null }],
    discounts: isDiscounted ? ['welcome'] : [],
  })
  const invoices = [regular]
  if (month === upgrade) invoices.push(upgradeIn(life, month))
  if (month === credit) invoices.push(creditIn(life, month, plan))
  return invoices
}

/** The invoices of a second subscription, or of a yearly plan. */
const invoicesEvery = (
  life: Life,
  months: number,
  { from, plan }: { from: number; plan: Plan },
): Invoice[] => {
  const end = Math.min(life.end, MONTHS)
  const count = Math.max(0, Math.ceil((end - from) / months))
  return Array.from({ length: count }, (_, index) => {
    const month = life.first + from + index * months
    return invoiceOf(life, {
      period: [dayOf(month), dayOf(month + months)],
      lines: [lineOf(life, plan, months === 12 ? 'year' : 'month')],
      subscription: plan === 'support' ? '-support' : '',
    })
  })
}

const trialOf = (life: Life): Invoice => {
  const start = life.first + life.start
  const lines: Line[] = [{ ...lineOf(life, 'basic'), amount: 0 }]
  return invoiceOf(life, { period: [dayOf(start, -13), dayOf(start)], lines, suffix: '-trial' })
}

const invoicesOf = (life: Life): Invoice[] => {
  const { start, end, second, hasTrial, isYearly } = life
  const months = Array.from({ length: Math.min(end, MONTHS) - start }, (_, index) => start + index)
  const trial = hasTrial ? [trialOf(life)] : []
  const regular = isYearly
    ? invoicesEvery(life, 12, { from: start, plan: 'basic' })
    : months.flatMap((month) => invoicesIn(life, month))
  return [...trial, ...regular, ...invoicesEvery(life, 1, { from: second, plan: 'support' })]
}

/** An invoice with as many lines as the API accepts: the usage of the last month. */
const usageInvoice = (life: Life): Invoice => {
  const lines = Array.from({ length: MAX_LINES }, (_, index) => ({
    id: `usage-${index}`,
    amount: 10 + index,
    quantity: 1 + (index % 9),
  }))
  const month = life.first + MONTHS - 1
  return invoiceOf(life, { period: [dayOf(month), dayOf(month + 1)], lines, suffix: '-usage' })
}

const priceOf = (plan: Plan, currency: (typeof currencies)[number], interval: 'month' | 'year') => ({
  id: interval === 'year' ? `${plan}-yearly-${currency}` : `${plan}-${currency}`,
  product_id: plan,
  title: `${plan}, ${interval}ly`,
  currency,
  price: plans[plan][currency] * (interval === 'year' ? 10 : 1),
  ...recurring(interval),
})

/**
 * A business's first two years as a seed, up to the month of `now` (milliseconds since the epoch) and the same for every
 * time in it: 24 customers in three currencies, with trials, prorated upgrades, pauses, second subscriptions, yearly plans,
 * churn, discounts, credits, value-added tax and an invoice of 250 lines.
 */
export const scenario = (now: number): Seed => {
  const date = new Date(now)
  const first = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth() - (MONTHS - 1)
  const lives = Array.from({ length: CUSTOMERS }, (_, index) => lifeOf(index + 1, first))
  return {
    products: [
      { id: 'basic', name: 'Basic' },
      { id: 'pro', name: 'Pro' },
      { id: 'support', name: 'Support' },
    ],
    prices: [
      ...planNames.flatMap((plan) => currencies.map((currency) => priceOf(plan, currency, 'month'))),
      ...currencies.map((currency) => priceOf('basic', currency, 'year')),
    ],
    customers: lives.map(({ number, start }) => ({
      id: `customer-${number}`,
      name: `Customer ${number}`,
      email: `customer-${number}@example.org`,
      created: dayOf(first + start),
      metadata: { seats: 1 + (number % 5) },
    })),
    discounts: [{ id: 'welcome', name: 'Welcome', duration: 'once', percent_off: 10, currency: 'EUR' }],
    invoices: [...lives.flatMap(invoicesOf), usageInvoice(lives[0]!)].sort(
      (a, b) => Number(new Date(a.created)) - Number(new Date(b.created)),
    ),
  }
}
