import type { Seed } from './settings.ts'

/** A business's first two years, the same at every call: 24 customers with upgrades, churn, credits, three currencies. */

type Invoice = NonNullable<Seed['invoices']>[number]
type Line = NonNullable<NonNullable<Invoice['line_items']>[number]>

const MONTHS = 24
const CUSTOMERS = 24
const currencies = ['EUR', 'USD', 'JPY'] as const
/** Monthly prices in minor units; the yen has none, so that its price is in whole yen. */
const plans = { basic: { EUR: 990, USD: 1090, JPY: 1600 }, pro: { EUR: 2900, USD: 3200, JPY: 4800 } } as const
type Plan = keyof typeof plans

/** Random numbers from 0 to below 1 that follow from `seed` alone (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed += 0x6d2b79f5
  const mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
  const again = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
  return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32
}

/** The first day of a month, counted from January 2024. */
const monthStart = (month: number): string => new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, 10)

/** What becomes of a customer: months are counted from January 2024, and may lie behind the end. */
const lives = (number: number) => {
  const random = randomFrom(number)
  const after = (month: number, chance: number, span: number) =>
    random() < chance ? month + 1 + Math.floor(random() * span) : Number.POSITIVE_INFINITY
  const start = Math.floor(random() * (MONTHS - 4))
  const currency = currencies[Math.floor(random() * currencies.length)]!
  const [upgrade, end, credit] = [after(start, 0.4, 8), after(start, 0.35, 14), after(start, 0.2, 6)]
  return { start, currency, upgrade, end, credit, welcomed: random() < 0.3 }
}

const invoiceOf = (number: number, month: number, lines: readonly Line[], suffix = ''): Invoice => {
  const period = { period_start: monthStart(month), period_end: monthStart(month + 1) }
  const { currency, welcomed, start } = lives(number)
  return {
    id: `invoice-${number}-${monthStart(month).slice(0, 7)}${suffix}`,
    total: lines.reduce(
      (sum, { amount, discount_amount }) => sum + (amount ?? 0) - (discount_amount ?? 0),
      0,
    ),
    created: suffix === '' ? period.period_start : period.period_start.replace(/01$/, '15'),
    ...{ ...period, currency, customer_id: `customer-${number}`, subscription_id: `subscription-${number}` },
    discounts: welcomed && month === start && suffix === '' ? ['welcome'] : [],
    line_items: lines.map((line) => ({ currency, quantity: 1, ...period, ...line })),
  }
}

/** The invoices of a customer: one a month, and a credit of half a month where one was given. */
const invoicesOf = (number: number): Invoice[] => {
  const { start, currency, upgrade, end, credit, welcomed } = lives(number)
  const months = Array.from({ length: Math.min(end, MONTHS) - start }, (_, index) => start + index)
  return months.flatMap((month) => {
    const plan: Plan = month >= upgrade ? 'pro' : 'basic'
    const amount = plans[plan][currency]
    const discount_amount = welcomed && month === start ? Math.round(amount / 10) : null
    const line: Line = {
      id: plan,
      amount,
      discount_amount,
      type: 'recurring',
      interval: 'month',
      interval_count: 1,
    }
    const unused: Line = { id: 'unused', amount: -plans.basic[currency], type: 'one_time' }
    const monthly = invoiceOf(number, month, month === upgrade ? [line, unused] : [line])
    const credited: Line = { id: 'credit', amount: -Math.round(amount / 2), type: 'one_time' }
    return month === credit ? [monthly, invoiceOf(number, month, [credited], '-credit')] : [monthly]
  })
}

/** One invoice with as many lines as there may be: the first customer's usage of the last month. */
const hugeInvoice = (): Invoice => {
  const line = (index: number): Line => ({
    id: `usage-${index}`,
    amount: 10 + index,
    quantity: 1 + (index % 9),
  })
  return invoiceOf(
    1,
    MONTHS - 1,
    Array.from({ length: 250 }, (_, index) => line(index)),
    '-usage',
  )
}

const byDate = (a: Invoice, b: Invoice): number => Date.parse(a.created) - Date.parse(b.created)

/** The bodies of the scenario's creates. */
export const scenario = (): Seed => {
  const numbers = Array.from({ length: CUSTOMERS }, (_, index) => index + 1)
  const all = (Object.keys(plans) as Plan[]).flatMap((plan) =>
    currencies.map((currency) => ({ plan, currency })),
  )
  const recurring = { type: 'recurring', interval: 'month', interval_count: 1 } as const
  return {
    products: [
      { id: 'basic', name: 'Basic' },
      { id: 'pro', name: 'Pro' },
    ],
    prices: all.map(({ plan, currency }) => ({
      ...{ id: `${plan}-${currency}`, product_id: plan, title: `${plan}, monthly`, currency },
      ...{ price: plans[plan][currency], ...recurring },
    })),
    customers: numbers.map((number) => ({
      ...{ id: `customer-${number}`, name: `Customer ${number}`, email: `customer-${number}@example.org` },
      ...{ created: monthStart(lives(number).start), metadata: { seats: 1 + (number % 5) } },
    })),
    discounts: [{ id: 'welcome', name: 'Welcome', duration: 'once', percent_off: 10, currency: 'EUR' }],
    invoices: [...numbers.flatMap(invoicesOf), hugeInvoice()].sort(byDate),
  }
}
