import { billsOf } from '../../tools/demo/billing.ts'
import { launch } from '../../tools/demo/coupons.ts'
import type { Sold, Subscription } from '../../tools/demo/subscription.ts'

/** The invoices of single subscriptions, worked out on paper. Amounts are in cents. */

const starter: Sold = { plan: 'starter', seats: 1, interval: 'month' }
const team = (seats: number): Sold => ({ plan: 'team', seats, interval: 'month' })
const business = (seats: number): Sold => ({ plan: 'business', seats, interval: 'year' })

/** Returns the invoices up to a day as text: day, total, and each line with its amount, discount, tax and period. */
const billed = (subscription: Partial<Subscription>, today: string): string[] => {
  const story = {
    id: 'S-1',
    currency: 'EUR',
    taxPercent: 0,
    changes: [],
    sold: starter,
    starts: '',
    ...subscription,
  }
  return billsOf(story as Subscription, today).map(({ created, period_end, total, line_items }) => {
    const lines = line_items!.map(({ id, quantity, amount, discount_amount, tax_amount }) =>
      [`${quantity ?? ''} ${id}`.trim(), amount, -(discount_amount ?? 0), tax_amount].join(' '),
    )
    return `${created} to ${period_end}: ${total} = ${lines.join(', ')}`
  })
}

it('begins each period on the day of the first one, or on the last day of a shorter month', () => {
  expect(billed({ starts: '2026-01-31' }, '2026-03-31')).toEqual([
    '2026-01-31 to 2026-02-28: 4900 = 1 starter 4900 0 0',
    '2026-02-28 to 2026-03-31: 4900 = 1 starter 4900 0 0',
    '2026-03-31 to 2026-04-30: 4900 = 1 starter 4900 0 0',
  ])
})

it('adds the tax to the price, in each line', () => {
  expect(billed({ starts: '2026-04-01', taxPercent: 19, hasOnboarding: true }, '2026-04-30')).toEqual([
    // 49.00 × 19 % = 9.31; 490.00 × 19 % = 93.10
    '2026-04-01 to 2026-05-01: 64141 = 1 starter 4900 0 931, 1 onboarding 49000 0 9310',
  ])
})

it('credits the unused part and bills the rest after an upgrade within a month', () => {
  const changes = [{ on: '2026-04-16', to: team(5) }]
  expect(billed({ starts: '2026-04-01', changes }, '2026-05-01')).toEqual([
    '2026-04-01 to 2026-05-01: 4900 = 1 starter 4900 0 0',
    // 15 of 30 days: half of 49.00, and half of 5 × 15.00
    '2026-04-16 to 2026-05-01: 1300 = 1 unused -2450 0 0, 5 rest 3750 0 0',
    '2026-05-01 to 2026-06-01: 7500 = 5 team 7500 0 0',
  ])
})

it('bills more seats until the end of the year that is paid for', () => {
  const changes = [{ on: '2026-03-01', to: business(30) }]
  expect(billed({ starts: '2026-01-01', sold: business(20), changes }, '2027-01-01')).toEqual([
    // A year costs ten months: 20 × 290.00
    '2026-01-01 to 2027-01-01: 580000 = 20 business 580000 0 0',
    // 306 of 365 days: 5,800.00 × 306 ÷ 365 = 4,862.47 and 8,700.00 × 306 ÷ 365 = 7,293.70
    '2026-03-01 to 2027-01-01: 243123 = 20 unused -486247 0 0, 30 rest 729370 0 0',
    '2027-01-01 to 2028-01-01: 870000 = 30 business 870000 0 0',
  ])
})

it('bills a change on the day of a renewal without a proration, also to a yearly plan', () => {
  const yearly: Sold = { plan: 'team', seats: 5, interval: 'year' }
  const changes = [{ on: '2026-02-10', to: yearly }]
  expect(billed({ starts: '2026-01-10', sold: team(5), changes }, '2027-02-10')).toEqual([
    '2026-01-10 to 2026-02-10: 7500 = 5 team 7500 0 0',
    '2026-02-10 to 2027-02-10: 75000 = 5 team 75000 0 0',
    '2027-02-10 to 2028-02-10: 75000 = 5 team 75000 0 0',
  ])
})

it('takes a discount off the months that it applies to, before the tax', () => {
  expect(billed({ starts: '2026-01-01', coupon: launch, taxPercent: 19 }, '2026-04-01')).toEqual([
    // 20 % of 49.00 is 9.80; 19 % of 39.20 is 7.448
    '2026-01-01 to 2026-02-01: 4665 = 1 starter 4900 -980 745',
    '2026-02-01 to 2026-03-01: 4665 = 1 starter 4900 -980 745',
    '2026-03-01 to 2026-04-01: 4665 = 1 starter 4900 -980 745',
    '2026-04-01 to 2026-05-01: 5831 = 1 starter 4900 0 931',
  ])
})

it('credits what is unused of a discounted period with its discount', () => {
  const changes = [{ on: '2026-04-16', to: team(5) }]
  expect(billed({ starts: '2026-04-01', coupon: launch, changes }, '2026-04-30')).toEqual([
    '2026-04-01 to 2026-05-01: 3920 = 1 starter 4900 -980 0',
    // 20 % of 24.50 is 4.90, and of 37.50 is 7.50
    '2026-04-16 to 2026-05-01: 1040 = 1 unused -2450 490 0, 5 rest 3750 -750 0',
  ])
})

it('bills nothing in a pause, and continues on the same day of the month', () => {
  const pause = { from: '2026-02-15', until: '2026-04-15' }
  expect(billed({ starts: '2026-01-15', pause }, '2026-05-01')).toEqual([
    '2026-01-15 to 2026-02-15: 4900 = 1 starter 4900 0 0',
    '2026-04-15 to 2026-05-15: 4900 = 1 starter 4900 0 0',
  ])
})

it('bills nothing from a cancellation on, and credits the unused part of an immediate one', () => {
  const cancelled = { starts: '2026-04-01', ends: '2026-04-21' }
  expect(billed(cancelled, '2026-06-01')).toEqual(['2026-04-01 to 2026-05-01: 4900 = 1 starter 4900 0 0'])
  expect(billed({ ...cancelled, isRefunded: true }, '2026-06-01')).toEqual([
    '2026-04-01 to 2026-05-01: 4900 = 1 starter 4900 0 0',
    // 10 of 30 days: 49.00 ÷ 3 = 16.33
    '2026-04-21 to 2026-05-01: -1633 = 1 unused -1633 0 0',
  ])
})

it('credits a quarter of a month as goodwill, without a period', () => {
  expect(billed({ starts: '2026-04-01', goodwill: '2026-04-09' }, '2026-04-30')).toEqual([
    '2026-04-01 to 2026-05-01: 4900 = 1 starter 4900 0 0',
    '2026-04-09 to 2026-04-09: -1225 = goodwill -1225 0 0',
  ])
})
