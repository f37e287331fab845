import fc from 'fast-check'
import { movementsOf } from '../../../client/analytics/index.ts'
import { calendarOf } from '../../../client/analytics/lines/calendar.ts'
import { range } from '../../support/range.ts'
import { runs } from '../../support/runs.ts'
import { businessOf, NOW, type Subscription } from './biller.ts'
import { life, plainLife, untaxedLife } from './businesses.ts'

const { size, seeds } = runs({ size: 150, seeds: [0, 1, 2] }, { size: 500, seeds: range(12) })
/** Fewer customers than subscriptions: some have two. */
const customers = range(Math.ceil(size * 0.8)).map((number) => `customer ${number}`)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const byCustomer = <Item extends { customer_id: string; currency: string }>(items: readonly Item[]) =>
  Map.groupBy(items, ({ customer_id, currency }) => `${customer_id}, ${currency}`)

interface TimeZones {
  /** Where the subscriptions are billed. */
  readonly billedIn: string
  /** Where the figures are computed. */
  readonly computedIn: string
}

/**
 * Generates a business, and compares the monthly revenue of each customer in a currency, at the end of each final month:
 * as the movements add up, as it truly is, and by how much the two may differ.
 */
const compareMonthEnds = (lives: typeof life, seed: number, { billedIn, computedIn }: TimeZones) => {
  const { startOf, monthOf } = calendarOf(computedIn)
  const firstMonth = monthOf(Date.UTC(2024, 10, 15) / 1000)
  const finalMonths = range(monthOf(NOW) - firstMonth).map((index) => firstMonth + index)
  const business = businessOf(fc.sample(lives, { numRuns: size, seed }), customers, billedIn)
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
  const timeZones = { billedIn: timeZone, computedIn: timeZone }

  it('is exact if only prices determine it: no wrong customer and no false movement', () => {
    const monthEnds = compareMonthEnds(plainLife, seed, timeZones)
    expect(monthEnds.filter(({ truth }) => truth > 0).length).toBeGreaterThan(size)
    expect(monthEnds.filter(({ computed, truth }) => computed !== truth)).toEqual([])
  })

  it('is exact with quantities, discounts and taxes, except for the rounding of discounts and taxes of prorations', () => {
    const monthEnds = compareMonthEnds(life, seed, timeZones)
    const isWrong = ({ computed, truth, tolerance }: (typeof monthEnds)[number]) =>
      Math.abs(computed - truth) > tolerance
    expect(monthEnds.filter(isWrong)).toEqual([])
  })

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Sydney'])(
    'is exact if the business is billed in UTC and its figures are computed in %s',
    (computedIn) => {
      const monthEnds = compareMonthEnds(untaxedLife, seed, { billedIn: 'UTC', computedIn })
      expect(monthEnds.filter(({ computed, truth }) => computed !== truth)).toEqual([])
    },
  )
})
