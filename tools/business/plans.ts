import type { CreatePrice, CreateProduct } from '../../client/index.ts'

const currencies = ['EUR', 'USD', 'JPY'] as const
export type Currency = (typeof currencies)[number]

export type BillingInterval = 'month' | 'year'

/** In minor units, of a seat or, for a plan without seats, of the plan. The yen has no minor unit. */
const monthlyPrices = {
  starter: { EUR: 4_900, USD: 5_400, JPY: 7_900 },
  team: { EUR: 1_500, USD: 1_700, JPY: 2_400 },
  business: { EUR: 2_900, USD: 3_200, JPY: 4_800 },
  support: { EUR: 9_900, USD: 10_900, JPY: 15_800 },
} as const
export type BusinessPlan = keyof typeof monthlyPrices
const plans = Object.keys(monthlyPrices) as readonly BusinessPlan[]

const names: Readonly<Record<BusinessPlan, string>> = {
  starter: 'Starter',
  team: 'Team',
  business: 'Business',
  support: 'Priority support',
}

/** Billed once to a large customer, in minor units. */
const onboardingPrices: Readonly<Record<Currency, number>> = { EUR: 49_000, USD: 54_000, JPY: 79_000 }

const MONTHS_PAID_OF_A_YEAR = 10

/** In minor units. */
export const unitPrice = (plan: BusinessPlan, interval: BillingInterval, currency: Currency): number =>
  monthlyPrices[plan][currency] * (interval === 'year' ? MONTHS_PAID_OF_A_YEAR : 1)

export const priceId = (plan: BusinessPlan, interval: BillingInterval, currency: Currency): string =>
  `${plan}-${interval}ly-${currency.toLowerCase()}`

/** In minor units. */
export const onboardingPrice = (currency: Currency): number => onboardingPrices[currency]

export const onboardingPriceId = (currency: Currency): string => `onboarding-${currency.toLowerCase()}`

export const businessProducts: readonly CreateProduct[] = [
  ...plans.map((plan) => ({ id: plan, name: names[plan] })),
  { id: 'onboarding', name: 'Onboarding' },
]

const recurringPrice = (plan: BusinessPlan, interval: BillingInterval, currency: Currency): CreatePrice => ({
  id: priceId(plan, interval, currency),
  product_id: plan,
  title: `${names[plan]}, ${interval}ly`,
  currency,
  price: unitPrice(plan, interval, currency),
  type: 'recurring',
  interval,
  interval_count: 1,
})

const pricesIn = (currency: Currency): CreatePrice[] => [
  ...plans.map((plan) => recurringPrice(plan, 'month', currency)),
  ...plans.filter((plan) => plan !== 'support').map((plan) => recurringPrice(plan, 'year', currency)),
  {
    id: onboardingPriceId(currency),
    product_id: 'onboarding',
    title: 'Onboarding',
    currency,
    price: onboardingPrice(currency),
    type: 'one_time',
  },
]

export const businessPrices: readonly CreatePrice[] = currencies.flatMap(pricesIn)
