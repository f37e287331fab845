export const currencies = ['EUR', 'USD', 'JPY'] as const
export type Currency = (typeof currencies)[number]
export type Interval = 'month' | 'year'

/** Monthly prices in minor units. The yen has no minor unit, so its prices are in whole yen. */
const monthlyPrices = {
  basic: { EUR: 990, USD: 1090, JPY: 1600 },
  pro: { EUR: 2900, USD: 3200, JPY: 4800 },
  support: { EUR: 1500, USD: 1600, JPY: 2400 },
} as const
export type Plan = keyof typeof monthlyPrices
const plans = ['basic', 'pro', 'support'] as const

const MONTHS_PAID_OF_A_YEAR = 10

/** In minor units. */
export const unitPrice = (plan: Plan, currency: Currency, interval: Interval = 'month'): number =>
  monthlyPrices[plan][currency] * (interval === 'year' ? MONTHS_PAID_OF_A_YEAR : 1)

export const priceId = (plan: Plan, currency: Currency, interval: Interval = 'month'): string =>
  interval === 'year' ? `${plan}-yearly-${currency}` : `${plan}-${currency}`

export const recurring = (interval: Interval) => ({ type: 'recurring', interval, interval_count: 1 }) as const

const priceOf = (plan: Plan, currency: Currency, interval: Interval) => ({
  id: priceId(plan, currency, interval),
  product_id: plan,
  title: `${plan}, ${interval}ly`,
  currency,
  price: unitPrice(plan, currency, interval),
  ...recurring(interval),
})

export const products = [
  { id: 'basic', name: 'Basic' },
  { id: 'pro', name: 'Pro' },
  { id: 'support', name: 'Support' },
]

export const prices = [
  ...plans.flatMap((plan) => currencies.map((currency) => priceOf(plan, currency, 'month'))),
  ...currencies.map((currency) => priceOf('basic', currency, 'year')),
]
