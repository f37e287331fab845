import fc from 'fast-check'
import { movementsOf } from '../../../client/analytics/index.ts'
import { calendarOf } from '../../../client/analytics/lines/calendar.ts'
import { runs } from '../../support/runs.ts'
import { businessOf, NOW, type Subscription } from './biller.ts'
import { life, plainLife, untaxedLife } from './businesses.ts'

const { size, seeds } = runs({ size: 150, seeds: [0, 1, 2] }, { size: 500, seeds: [...Array(12).keys()] })
/** Some have two subscriptions. */
const customers = Array.from({ length: Math.ceil(size * 0.8) }, (_, number) => `customer ${number}`)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const byCustomer = <Item extends { customer_id: string; currency: string }>(items: readonly Item[]) =>
  Map.groupBy(items, ({ customer_id, currency }) => `${customer_id}, ${currency}`)

/**
 * Returns what each customer of a generated business comes to in a currency at the end of each month that is final: by the
 * movements, in truth, and by how much that may differ.
 */
const endsOf = (lives: typeof life, seed: number, biller: string, timeZone = biller) => {
  const { startOf, monthOf } = calendarOf(timeZone)
  const first = monthOf(Date.UTC(2024, 10, 15) / 1000)
  const months = Array.from({ length: monthOf(NOW) - first }, (_, index) => first + index)
  const business = businessOf(fc.sample(lives, { numRuns: size, seed }), customers, biller)
  const movements = byCustomer(movementsOf(business.invoices, NOW, timeZone))
  return [...byCustomer(business.subscriptions)].flatMap(([customer, held]) =>
    months.map((last) => {
      const end = startOf(last + 1) - 1
      const monthlyOf = ({ states }: Subscription) => states.findLast(({ from }) => from <= end)?.monthly ?? 0
      const moved = (movements.get(customer) ?? []).filter(({ month }) => month <= last)
      const roundings = held
        .flatMap((each) => each.roundings)
        .filter(({ from, to }) => from <= end && end < to)
      return {
        customer,
        month: last,
        found: sum(moved.map(({ amount }) => amount)),
        truth: sum(held.map(monthlyOf)),
        most: sum(roundings.map(({ most }) => most)),
      }
    }),
  )
}

const billers = ['UTC', 'Europe/Berlin', 'America/New_York']

describe.each(seeds)('a generated business (%d)', (seed) => {
  const biller = billers[seed % billers.length]!

  it('has exactly what is true of prices: no wrong customer, no false movement', () => {
    const ends = endsOf(plainLife, seed, biller)
    expect(ends.filter(({ truth }) => truth > 0).length).toBeGreaterThan(size)
    expect(ends.filter(({ found, truth }) => found !== truth)).toEqual([])
  })

  it('has what is true of quantities, discounts and taxes, except for the rounding of the last two on prorations', () => {
    const ends = endsOf(life, seed, biller)
    expect(ends.filter(({ found, truth, most }) => Math.abs(found - truth) > most)).toEqual([])
  })

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Sydney'])(
    'has exactly what is true of prices and quantities if it is billed in UTC and seen in %s',
    (timeZone) => {
      const ends = endsOf(untaxedLife, seed, 'UTC', timeZone)
      expect(ends.filter(({ found, truth }) => found !== truth)).toEqual([])
    },
  )
})
