import { customersByMonth, figuresOf, type Invoice, movementsByMonth } from '../../client/analytics/index.ts'
import { validContent } from '../../shared/http/validate.ts'
import { billsOf } from '../../tools/business/billing.ts'
import { businessAt, businessUntil, firstMonthOfBusiness } from '../../tools/business/business.ts'
import { addDays, type Day, dayIn, dayOf, daysBetween } from '../../tools/business/calendar.ts'
import { badQuarterOf } from '../../tools/business/customer.ts'
import { customersOf } from '../../tools/business/customers.ts'
import { unitPrice } from '../../tools/business/plans.ts'
import { type SubscriptionHistory, type Terms, termsOn } from '../../tools/business/subscription.ts'
import { recordedInvoices } from '../support/recorded-invoices.ts'
import { endpointNamed } from '../support/requests/endpoints.ts'
import { sum } from '../support/sum.ts'

const TODAY = '2026-11-26'
const NOW = Date.parse(TODAY) / 1000
const FIRST_MONTH = firstMonthOfBusiness(TODAY)
const business = businessUntil(FIRST_MONTH, TODAY)
const invoices = recordedInvoices(business)
const figures = figuresOf(invoices, NOW)

const figuresOfCustomer = (name: string) => {
  const { id } = business.customers.find((customer) => customer.name === name)!
  return figuresOf(
    invoices.filter(({ customer_id }) => customer_id === id),
    NOW,
  )
}

/**
 * From the history, not from the lines: price × seats, minus the discount of the period that covers the day,
 * divided by the months of the interval. 0 in a trial and if no paid period covers the day.
 */
const monthlyRevenueOn = (subscription: SubscriptionHistory, day: Day): number => {
  const { cancellationDay, isRefunded, coupon, currency, firstDay } = subscription
  const period = billsOf(subscription, day).findLast(({ line_items }) => line_items![0]!.type === 'recurring')
  const isPaid = period !== undefined && period.total > 0 && String(period.period_end) > day
  if (!isPaid || (isRefunded && cancellationDay !== undefined && cancellationDay <= day)) return 0
  const { plan, seats, interval } = termsOn(subscription, day)
  const months = interval === 'year' ? 12 : 1
  const isDiscounted = coupon && daysBetween(firstDay, period.created) < coupon.months * 28
  const percent = isDiscounted ? 100 - coupon.percent : 100
  return (unitPrice(plan, interval, currency) * seats * percent) / 100 / months
}

/** Counted from January 1970. */
const monthNumber = (name: string): number => {
  const [year = 0, month = 0] = name.split('-').map(Number)
  return (year - 1970) * 12 + month - 1
}

it('has some 120 customers over 36 months in three currencies, each with a name, an address, a country and a segment', () => {
  expect(business.customers.length).toBeGreaterThanOrEqual(118)
  expect(business.customers.length).toBeLessThanOrEqual(128)
  expect(business.invoices[0]!.created.slice(0, 7)).toBe('2023-12')
  for (const { name, email, metadata } of business.customers) {
    expect(name).toMatch(/^\p{Lu}.* \p{L}/u)
    expect(email).toMatch(/^[a-z.-]+@[a-z.-]+\.example$/)
    expect(metadata).toEqual({ country: expect.stringMatching(/^[A-Z]{2}$/), segment: expect.any(String) })
  }
  expect(new Set(business.customers.map(({ name }) => name)).size).toBe(business.customers.length)
  expect(figures.movementsByMonth.map(({ currency }) => currency)).toEqual(['EUR', 'JPY', 'USD'])
})

it('has bodies that the API accepts, which refer to one another alone', () => {
  const { products = [], prices = [], discounts = [], customers, invoices: bills } = business
  const bodies = { products, prices, discounts, customers, invoices: bills }
  for (const [plural, values] of Object.entries<readonly object[]>(bodies))
    for (const value of values)
      validContent(endpointNamed(`${plural}.create`), { text: JSON.stringify(value), value }, {})
  const known = new Set<unknown>(Object.values(bodies).flatMap((values) => values.map(({ id }) => id)))
  const references = [
    ...prices.map(({ product_id }) => product_id),
    ...bills.map(({ customer_id }) => customer_id),
    ...bills.flatMap((bill) => bill.discounts ?? []),
    ...bills.flatMap(({ line_items }) => (line_items ?? []).flatMap(({ price_id }) => price_id ?? [])),
  ]
  expect(references.filter((id) => !known.has(id))).toEqual([])
  const owners = new Set(bills.map(({ subscription_id, customer_id }) => `${subscription_id} ${customer_id}`))
  expect(owners.size).toBe(new Set(bills.map(({ subscription_id }) => subscription_id)).size)
})

it('has trials, upgrades, yearly plans, pauses, credits, refunds, discounts, churn and an invoice of 250 lines', () => {
  const lines = business.invoices.flatMap(({ line_items }) => line_items!)
  for (const id of ['unused', 'rest', 'goodwill', 'onboarding', 'support'])
    expect(lines).toContainEqual(expect.objectContaining({ id }))
  expect(lines).toContainEqual(expect.objectContaining({ amount: 0, type: 'recurring' }))
  expect(business.invoices.map(({ line_items }) => line_items!.length)).toContain(250)
  expect(lines.filter(({ interval }) => interval === 'year').length).toBeGreaterThan(50)
  for (const discount of ['welcome', 'launch', 'partner'])
    expect(business.invoices.map(({ discounts }) => discounts)).toContainEqual([discount])
  expect(business.invoices.filter(({ total }) => total < -10_000).length).toBeGreaterThan(0)
  const kinds = figures.customerChangesOf.map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['new', 'reactivated', 'lost']))
})

it('has renewals on most of the days until today', () => {
  const days = new Set(business.invoices.map(({ created }) => created))
  const lastDays = Array.from({ length: 28 }, (_, back) => addDays(TODAY, -back))
  expect(lastDays.filter((day) => days.has(day)).length).toBeGreaterThan(14)
  expect(days.has(TODAY) || days.has(addDays(TODAY, -1)) || days.has(addDays(TODAY, -2))).toBe(true)
})

it('is the same in every run, and continues on a later day with the same records and more', () => {
  expect(businessUntil(FIRST_MONTH, TODAY)).toEqual(business)
  const later = businessUntil(FIRST_MONTH, '2027-01-15')
  expect(later.invoices.length).toBeGreaterThan(business.invoices.length)
  expect(later.invoices.slice(0, business.invoices.length)).toEqual(business.invoices)
  expect(later.customers.slice(0, business.customers.length)).toEqual(business.customers)
  for (const { created } of later.invoices.slice(business.invoices.length)) expect(created > TODAY).toBe(true)
})

it('numbers the invoices of each year without gaps', () => {
  const numbers = business.invoices.map(({ id }) => String(id)).filter((id) => id.startsWith('2026-'))
  expect(numbers).toEqual(numbers.map((_, index) => `2026-${String(index + 1).padStart(4, '0')}`))
})

it('has the recurring revenue and the active customers of its history at the end of every month', () => {
  const subscriptions = customersOf(FIRST_MONTH).flatMap(({ body, subscriptions }) =>
    subscriptions.map((subscription) => ({ customer: body.id, subscription })),
  )
  for (const { currency, months } of figures.movementsByMonth)
    for (const { name, end } of months.slice(0, -1)) {
      const lastDay = dayIn(monthNumber(name), 31)
      const revenues = subscriptions
        .filter(({ subscription }) => subscription.currency === currency)
        .map(({ subscription }) => monthlyRevenueOn(subscription, lastDay))
      const difference = Math.abs(end - revenues.reduce((sum, value) => sum + value, 0))
      // Each subscription is rounded once.
      expect({ currency, name, isExact: difference <= revenues.length / 2 }).toEqual({
        currency,
        name,
        isExact: true,
      })
    }
  for (const { name, active } of figures.customersByMonth.slice(0, -1)) {
    const lastDay = dayIn(monthNumber(name), 31)
    const paying = subscriptions.filter(({ subscription }) => monthlyRevenueOn(subscription, lastDay) > 0)
    const payingCustomers = new Set(paying.map(({ customer }) => customer))
    expect({ name, active }).toEqual({ name, active: payingCustomers.size })
  }
})

it('has the revenue of its two large customers that is worked out by hand', () => {
  const monthEnds = (name: string) =>
    new Map(figuresOfCustomer(name).movementsByMonth[0]!.months.map((month) => [month.name, month.end]))
  const nordhafen = monthEnds('Nordhafen Umschlag')
  // Yearly from 12 October 2024: 60 seats × 290.00 ÷ 12 months = 1,450.00; from 17 March 2026: 85 seats,
  // 2,054.17.
  expect(nordhafen.get('2024-10')).toBe(145_000)
  expect(nordhafen.get('2026-02')).toBe(145_000)
  expect(nordhafen.get('2026-03')).toBe(205_417)
  expect(nordhafen.get('2026-11')).toBe(205_417)
  const verrault = monthEnds('Verrault Assurances')
  // Monthly from 3 May 2024: 40 seats × 29.00 = 1,160.00; then 60 and, in the bad quarter, 42 seats; today
  // 95.
  expect(verrault.get('2024-05')).toBe(116_000)
  expect(verrault.get('2025-02')).toBe(174_000)
  expect(verrault.get('2025-08')).toBe(121_800)
  expect(verrault.get('2026-11')).toBe(275_500)
})

it('bills value-added tax to customers in Germany only', () => {
  const countries = new Map(
    business.customers.map(({ id, metadata }) => [id, (metadata as { country: string }).country]),
  )
  for (const { customer_id, line_items } of business.invoices)
    for (const { amount, discount_amount, tax_amount } of line_items!) {
      const percent = countries.get(String(customer_id)) === 'DE' ? 19 : 0
      expect(tax_amount).toBe(Math.round(((amount! - (discount_amount ?? 0)) * percent) / 100))
    }
})

it('causes no warnings of the figures', () => {
  const {
    invoicesWithoutRecurringLine,
    invoices: count,
    recordedUntil,
    complete,
    ...warnings
  } = figures.coverageOf
  expect(complete).toBe(true)
  expect(count).toBe(business.invoices.length)
  expect(Object.values(warnings).filter((value) => value !== 0)).toEqual([])
})

it.each(Array.from({ length: 12 }, (_, month) => month))(
  'has revenue of some 15,000 EUR a month, and a bad quarter, if it is created %i months later',
  (monthsLater) => {
    const now = Date.UTC(2026, 10 + monthsLater, 1 + monthsLater * 2)
    const firstMonth = firstMonthOfBusiness(dayOf(now))
    const laterInvoices: Invoice[] = recordedInvoices(businessAt(now))
    const revenue = movementsByMonth(laterInvoices, now / 1000).find(
      ({ currency }) => currency === 'EUR',
    )!.months
    expect(revenue.at(-1)!.end).toBeGreaterThan(1_400_000)
    expect(revenue.at(-1)!.end).toBeLessThan(1_600_000)
    const badQuarter = badQuarterOf(firstMonth)
    const isBad = ({ month }: { readonly month: number }) => month >= badQuarter && month < badQuarter + 3
    const badMonths = revenue.filter(isBad)
    expect(badMonths.at(-1)!.end).toBeLessThan(badMonths[0]!.start * 0.95)
    const customers = customersByMonth(laterInvoices, now / 1000).filter(isBad)
    expect(sum(customers.map(({ lost }) => lost))).toBeGreaterThan(10)
    expect(sum(customers.map((month) => month.new))).toBeLessThan(5)
  },
)

describe('billing', () => {
  /** The expected invoices are worked out by hand. Amounts are in cents. */

  const starter: Terms = { plan: 'starter', seats: 1, interval: 'month' }
  const team = (seats: number): Terms => ({ plan: 'team', seats, interval: 'month' })
  const business = (seats: number): Terms => ({ plan: 'business', seats, interval: 'year' })

  const subscriptionWith = (
    differences: Partial<SubscriptionHistory> & Pick<SubscriptionHistory, 'firstDay'>,
  ): SubscriptionHistory => ({
    id: 'S-1',
    currency: 'EUR',
    taxPercent: 0,
    changes: [],
    terms: starter,
    ...differences,
  })

  /** Up to a day, as text: period, total, and each line with its quantity, id, amount, discount and tax. */
  const billedUntil = (today: string, differences: Parameters<typeof subscriptionWith>[0]): string[] =>
    billsOf(subscriptionWith(differences), today).map(({ created, period_end, total, line_items }) => {
      const lines = line_items!.map(({ id, quantity, amount, discount_amount, tax_amount }) =>
        [`${quantity ?? ''} ${id}`.trim(), amount, -(discount_amount ?? 0), tax_amount].join(' '),
      )
      return `${created} to ${period_end}: ${total} = ${lines.join(', ')}`
    })

  it('begins each period on the day of the first one, or on the last day of a shorter month', () => {
    expect(billedUntil('2026-03-31', { firstDay: '2026-01-31' })).toEqual([
      '2026-01-31 to 2026-02-28: 4900 = 1 starter 4900 0 0',
      '2026-02-28 to 2026-03-31: 4900 = 1 starter 4900 0 0',
      '2026-03-31 to 2026-04-30: 4900 = 1 starter 4900 0 0',
    ])
  })

  it('adds the tax to the price, in each line', () => {
    expect(
      billedUntil('2026-04-30', { firstDay: '2026-04-01', taxPercent: 19, hasOnboarding: true }),
    ).toEqual([
      // 49.00 × 19 % = 9.31; 490.00 × 19 % = 93.10
      '2026-04-01 to 2026-05-01: 64141 = 1 starter 4900 0 931, 1 onboarding 49000 0 9310',
    ])
  })

  it('bills more seats until the end of the paid year', () => {
    const changes = [{ day: '2026-03-01', terms: business(30) }]
    expect(billedUntil('2027-01-01', { firstDay: '2026-01-01', terms: business(20), changes })).toEqual([
      // A year costs ten months: 20 × 290.00
      '2026-01-01 to 2027-01-01: 580000 = 20 business 580000 0 0',
      // 306 of 365 days: 5,800.00 × 306 ÷ 365 = 4,862.47 and 8,700.00 × 306 ÷ 365 = 7,293.70
      '2026-03-01 to 2027-01-01: 243123 = 20 unused -486247 0 0, 30 rest 729370 0 0',
      '2027-01-01 to 2028-01-01: 870000 = 30 business 870000 0 0',
    ])
  })

  it('bills a change on the day of a renewal without a proration, also to a yearly plan', () => {
    const yearly: Terms = { plan: 'team', seats: 5, interval: 'year' }
    const changes = [{ day: '2026-02-10', terms: yearly }]
    expect(billedUntil('2027-02-10', { firstDay: '2026-01-10', terms: team(5), changes })).toEqual([
      '2026-01-10 to 2026-02-10: 7500 = 5 team 7500 0 0',
      '2026-02-10 to 2027-02-10: 75000 = 5 team 75000 0 0',
      '2027-02-10 to 2028-02-10: 75000 = 5 team 75000 0 0',
    ])
  })

  it('bills nothing during a pause, and continues on the same day of the month', () => {
    const pause = { start: '2026-02-15', end: '2026-04-15' }
    expect(billedUntil('2026-05-01', { firstDay: '2026-01-15', pause })).toEqual([
      '2026-01-15 to 2026-02-15: 4900 = 1 starter 4900 0 0',
      '2026-04-15 to 2026-05-15: 4900 = 1 starter 4900 0 0',
    ])
  })

  it('bills nothing after a cancellation, and credits the unused part of a period after an immediate one', () => {
    const cancelledSubscription = { firstDay: '2026-04-01', cancellationDay: '2026-04-21' }
    expect(billedUntil('2026-06-01', cancelledSubscription)).toEqual([
      '2026-04-01 to 2026-05-01: 4900 = 1 starter 4900 0 0',
    ])
    expect(billedUntil('2026-06-01', { ...cancelledSubscription, isRefunded: true })).toEqual([
      '2026-04-01 to 2026-05-01: 4900 = 1 starter 4900 0 0',
      // 10 of 30 days: 49.00 ÷ 3 = 16.33
      '2026-04-21 to 2026-05-01: -1633 = 1 unused -1633 0 0',
    ])
  })

  it('credits a quarter of a month as goodwill, without a period', () => {
    expect(billedUntil('2026-04-30', { firstDay: '2026-04-01', goodwillDay: '2026-04-09' })).toEqual([
      '2026-04-01 to 2026-05-01: 4900 = 1 starter 4900 0 0',
      '2026-04-09 to 2026-04-09: -1225 = goodwill -1225 0 0',
    ])
  })

  it('bills a trial with 0 until the first day, unless the subscription is cancelled before', () => {
    const triedSubscription = { firstDay: '2026-04-01', trialStart: '2026-03-18' }
    expect(billedUntil('2026-04-30', triedSubscription)).toEqual([
      '2026-03-18 to 2026-04-01: 0 = 1 starter 0 0 0',
      '2026-04-01 to 2026-05-01: 4900 = 1 starter 4900 0 0',
    ])
    expect(billedUntil('2026-04-30', { ...triedSubscription, cancellationDay: '2026-03-18' })).toEqual([])
  })

  it('bills the usage of a month at its end, in 250 lines', () => {
    const [, usage] = billsOf(
      subscriptionWith({ firstDay: '2026-04-01', usageDay: '2026-04-09' }),
      '2026-04-30',
    )
    // 250 × 0.10 and 0.00 + 0.01 + … + 2.49 = 311.25
    expect(usage).toMatchObject({ created: '2026-04-09', period_start: '2026-03-09', total: 33_625 })
    expect(usage!.line_items).toHaveLength(250)
  })
})
