import fc from 'fast-check'
import { movementsOf } from '../../../client/analytics/index.ts'
import { calendarOf } from '../../../client/analytics/lines/calendar.ts'
import { range } from '../../support/range.ts'
import { runs } from '../../support/runs.ts'
import { sum } from '../../support/sum.ts'
import { type Business, businessOf, NOW, type Subscription } from './biller.ts'
import { calmLife, type Life, life, monthlyLife, untaxedLife } from './businesses.ts'
import { type ProrationStyle, stylesIn } from './proration-styles.ts'

const { size, seeds } = runs({ size: 60, seeds: [0, 1, 2] }, { size: 500, seeds: range(12) })
/** Fewer customers than subscriptions: some have two. */
const customers = range(Math.ceil(size * 0.8)).map((number) => `customer ${number}`)

const byCustomer = <Item extends { customer_id: string; currency: string }>(items: readonly Item[]) =>
  Map.groupBy(items, ({ customer_id, currency }) => `${customer_id}, ${currency}`)

/** Generates lives, and bills them. */
const generated = (lives: typeof life, seed: number, timeZone: string, style?: ProrationStyle): Business =>
  businessOf(fc.sample(lives, { numRuns: size, seed }), customers, timeZone, style)

/**
 * Compares the monthly revenue of each customer of a business in a currency, at the end of each final month: as the movements
 * add up, as it truly is, and by how much the two may differ.
 */
const compareMonthEnds = (business: Business, computedIn: string) => {
  const { startOf, monthOf } = calendarOf(computedIn)
  const firstMonth = monthOf(Date.UTC(2024, 10, 15) / 1000)
  const finalMonths = range(monthOf(NOW) - firstMonth).map((index) => firstMonth + index)
  const movements = byCustomer(movementsOf(business.invoices, NOW, computedIn))
  return [...byCustomer(business.subscriptions)].flatMap(([customer, subscriptions]) =>
    finalMonths.map((finalMonth) => {
      const end = startOf(finalMonth + 1) - 1
      const monthlyAtEnd = ({ states }: Subscription) =>
        states.findLast(({ from }) => from <= end)?.monthly ?? 0
      const movementsUntilEnd = (movements.get(customer) ?? []).filter(({ month }) => month <= finalMonth)
      const tolerances = subscriptions
        .flatMap((subscription) => subscription.tolerances)
        .filter(({ from, until }) => from <= end && end < until)
      return {
        customer,
        month: finalMonth,
        computed: sum(movementsUntilEnd.map(({ amount }) => amount)),
        truth: sum(subscriptions.map(monthlyAtEnd)),
        tolerance: sum(tolerances.map(({ amount }) => amount)),
      }
    }),
  )
}

const zonesOfBilling = ['UTC', 'Europe/Berlin', 'America/New_York']

describe.each(seeds)('the revenue computed for a generated business (%d)', (seed) => {
  const timeZone = zonesOfBilling[seed % zonesOfBilling.length]!

  it('is exact if only prices and quantities determine it: no wrong customer and no false movement', () => {
    const monthEnds = compareMonthEnds(generated(untaxedLife, seed, timeZone), timeZone)
    expect(monthEnds.filter(({ truth }) => truth > 0).length).toBeGreaterThan(size)
    expect(monthEnds.filter(({ computed, truth }) => computed !== truth)).toEqual([])
  })

  it('is exact with quantities, discounts and taxes, except for the rounding of discounts and taxes of prorations', () => {
    const monthEnds = compareMonthEnds(generated(life, seed, timeZone), timeZone)
    const isWrong = ({ computed, truth, tolerance }: (typeof monthEnds)[number]) =>
      Math.abs(computed - truth) > tolerance
    expect(monthEnds.filter(isWrong)).toEqual([])
  })

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Sydney'])(
    'is exact if the business is billed in UTC and its figures are computed in %s',
    (computedIn) => {
      const monthEnds = compareMonthEnds(generated(untaxedLife, seed, 'UTC'), computedIn)
      expect(monthEnds.filter(({ computed, truth }) => computed !== truth)).toEqual([])
    },
  )
})

/** Returns the month ends of one seed, or of three in a long run, at which a customer is active or counted. */
const activeMonthEnds = (bill: (seed: number) => Business, timeZone: string) =>
  seeds
    .slice(0, runs(1, 3))
    .flatMap((seed) => compareMonthEnds(bill(seed), timeZone))
    .filter(({ computed, truth }) => computed !== 0 || truth !== 0)

type MonthEnd = ReturnType<typeof compareMonthEnds>[number]

const isExact = ({ computed, truth }: MonthEnd): boolean => computed === truth
/** What the rounding of a tax becomes, except for changes on the last days of a period. */
const isWithinSevenCents = ({ computed, truth }: MonthEnd): boolean => Math.abs(computed - truth) <= 7
const isWronglyActiveOrLost = ({ computed, truth }: MonthEnd): boolean => computed > 0 !== truth > 0
const shareOf = (monthEnds: readonly MonthEnd[], isMet: (monthEnd: MonthEnd) => boolean): number =>
  monthEnds.filter(isMet).length / monthEnds.length

describe.each(Object.entries(stylesIn('Europe/Berlin')))(
  'the revenue computed for a biller that prorates by %s',
  (_name, style) => {
    const zone = 'Europe/Berlin'

    it('is exact in 99.9 % of months, with no customer wrongly active or lost', () => {
      const monthEnds = activeMonthEnds((seed) => generated(monthlyLife, seed, zone, style), zone)
      expect(monthEnds.length).toBeGreaterThan(size * 10)
      expect(shareOf(monthEnds, isExact)).toBeGreaterThanOrEqual(0.999)
      expect(monthEnds.filter(isWronglyActiveOrLost)).toEqual([])
    })

    it('is exact in 97 % of months if prices include a tax, and elsewhere to the rounding of the tax', () => {
      const taxedLife = calmLife.map((life): Life => ({ ...life, tax: 'within' }))
      const monthEnds = activeMonthEnds((seed) => generated(taxedLife, seed, zone, style), zone)
      const isBeyondRounding = ({ computed, truth, tolerance }: MonthEnd) =>
        Math.abs(computed - truth) > tolerance
      expect(shareOf(monthEnds, isExact)).toBeGreaterThanOrEqual(0.97)
      expect(shareOf(monthEnds, isWithinSevenCents)).toBeGreaterThanOrEqual(0.99)
      expect(monthEnds.filter(isBeyondRounding)).toEqual([])
      expect(monthEnds.filter(isWronglyActiveOrLost)).toEqual([])
    })
  },
)

it('is exact in 98.5 % of months if prices with tiers determine no proration', () => {
  const bill = (seed: number): Business => {
    const roundedLife = calmLife.map((life): Life => ({ ...life, round: Math.round }))
    const business = generated(roundedLife, seed, 'UTC', stylesIn('UTC')['local days'])
    const invoices = business.invoices.map((invoice) => ({
      ...invoice,
      line_items: invoice.line_items.map(({ price, ...line }) => ({
        ...line,
        price: price && { ...price, tiered: true },
      })),
    }))
    return { ...business, invoices }
  }
  const monthEnds = activeMonthEnds(bill, 'UTC')
  expect(shareOf(monthEnds, isExact)).toBeGreaterThanOrEqual(0.985)
  expect(shareOf(monthEnds, isWithinSevenCents)).toBeGreaterThanOrEqual(0.99)
  expect(monthEnds.filter(isWronglyActiveOrLost)).toEqual([])
})
