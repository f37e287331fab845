import { billsOf } from '../../tools/business/billing.ts'
import { launch } from '../../tools/business/coupons.ts'
import type { SubscriptionHistory, Terms } from '../../tools/business/subscription.ts'

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
  expect(billedUntil('2026-04-30', { firstDay: '2026-04-01', taxPercent: 19, hasOnboarding: true })).toEqual([
    // 49.00 × 19 % = 9.31; 490.00 × 19 % = 93.10
    '2026-04-01 to 2026-05-01: 64141 = 1 starter 4900 0 931, 1 onboarding 49000 0 9310',
  ])
})

it('credits the unused part and bills the rest after an upgrade within a month', () => {
  const changes = [{ day: '2026-04-16', terms: team(5) }]
  expect(billedUntil('2026-05-01', { firstDay: '2026-04-01', changes })).toEqual([
    '2026-04-01 to 2026-05-01: 4900 = 1 starter 4900 0 0',
    // 15 of 30 days: half of 49.00, and half of 5 × 15.00
    '2026-04-16 to 2026-05-01: 1300 = 1 unused -2450 0 0, 5 rest 3750 0 0',
    '2026-05-01 to 2026-06-01: 7500 = 5 team 7500 0 0',
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

it('takes a discount off the months that it applies to, before the tax', () => {
  expect(billedUntil('2026-04-01', { firstDay: '2026-01-01', coupon: launch, taxPercent: 19 })).toEqual([
    // 20 % of 49.00 is 9.80; 19 % of 39.20 is 7.448
    '2026-01-01 to 2026-02-01: 4665 = 1 starter 4900 -980 745',
    '2026-02-01 to 2026-03-01: 4665 = 1 starter 4900 -980 745',
    '2026-03-01 to 2026-04-01: 4665 = 1 starter 4900 -980 745',
    '2026-04-01 to 2026-05-01: 5831 = 1 starter 4900 0 931',
  ])
})

it('credits the unused part of a discounted period with its discount', () => {
  const changes = [{ day: '2026-04-16', terms: team(5) }]
  expect(billedUntil('2026-04-30', { firstDay: '2026-04-01', coupon: launch, changes })).toEqual([
    '2026-04-01 to 2026-05-01: 3920 = 1 starter 4900 -980 0',
    // 20 % of 24.50 is 4.90, and of 37.50 is 7.50
    '2026-04-16 to 2026-05-01: 1040 = 1 unused -2450 490 0, 5 rest 3750 -750 0',
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
