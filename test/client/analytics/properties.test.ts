import fc from 'fast-check'
import * as analytics from '../../../client/analytics/index.ts'
import { runs } from '../../support/runs.ts'
import { business, FIRST, invoicesFor, lineFor, periodsOf } from './businesses.ts'
import { invoiceOf } from './invoices.ts'

const { recurringByMonth, movementsByMonth, customersByMonth, subscriptionsByMonth, movementsOf } = analytics

/** The end of February 2027, after all but the longest yearly periods. */
const NOW = Date.UTC(1970, FIRST + 38) / 1000 - 1
const numRuns = runs(40, 2_000)
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York')

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const valuesOf = ({ series }: analytics.Chart, name: string): readonly number[] =>
  series.find((each) => each.name === name)!.values

/** Returns all charts. */
const chartsOf = (invoices: readonly analytics.Invoice[], now: number, timeZone = 'UTC') => [
  ...analytics.invoicedByMonth(invoices, now, timeZone),
  ...recurringByMonth(invoices, now, timeZone),
  ...movementsByMonth(invoices, now, timeZone),
  subscriptionsByMonth(invoices, now, timeZone),
  customersByMonth(invoices, now, timeZone),
  ...analytics.ratesByMonth(invoices, now, timeZone),
]

it('makes the recurring revenue the sum of the plans, and of the movements since the month before', () => {
  fc.assert(
    fc.property(business, zone, (contracts, timeZone) => {
      const invoices = invoicesFor(contracts)
      const movements = movementsByMonth(invoices, NOW, timeZone)
      for (const [position, { currency, series }] of recurringByMonth(invoices, NOW, timeZone).entries()) {
        const [all = [], ...plans] = series.map(({ values }) => values)
        const moved = movements[position]!
        const changes = moved.series.map(({ values }) => values)
        const sumOf = (parts: readonly (readonly number[])[]) =>
          all.map((_, index) => sum(parts.map((values) => values[index]!)))
        expect(moved.currency).toBe(currency)
        expect(sumOf(plans)).toEqual(all)
        expect(sumOf(changes.slice(0, -1))).toEqual(all)
        expect(changes.at(-1)).toEqual(all)
        expect(valuesOf(moved, 'Start').slice(1)).toEqual(all.slice(0, -1))
      }
    }),
    { numRuns },
  )
})

it("makes the recurring revenue the sum of all customers' movements, and of what subscriptions hold now", () => {
  fc.assert(
    fc.property(business, fc.integer({ min: 0, max: 30 }), (contracts, months) => {
      const invoices = invoicesFor(contracts)
      const now = Date.UTC(1970, FIRST + months, 12) / 1000
      const holds = analytics.subscriptionsNow(invoices, now).flatMap((each) => each.holds)
      for (const chart of recurringByMonth(invoices, now)) {
        const last = chart.series[0]!.values.at(-1)
        const moved = movementsOf(invoices, now).filter(({ currency }) => currency === chart.currency)
        const held = holds.filter(({ currency }) => currency === chart.currency)
        expect(sum(moved.map(({ amount }) => amount))).toBe(last)
        expect(sum(held.map(({ monthly }) => monthly))).toBe(last)
      }
    }),
    { numRuns },
  )
})

it('makes the active ones those of the month before, plus the new and returned ones, minus the lost ones', () => {
  fc.assert(
    fc.property(business, (contracts) => {
      const invoices = invoicesFor(contracts)
      for (const chart of [customersByMonth(invoices, NOW), subscriptionsByMonth(invoices, NOW)]) {
        const [active = [], ...changes] = chart.series.map(({ values }) => values)
        const lost = changes.pop()!
        const expected = active.map((_, index) => {
          const came = sum(changes.map((values) => values[index]!))
          return (active[index - 1] ?? 0) + came - lost[index]!
        })
        expect(active).toEqual(expected)
      }
    }),
    { numRuns },
  )
})

it('counts as new, reactivated and lost in a month the customers whose changes it names', () => {
  fc.assert(
    fc.property(business, (contracts) => {
      const invoices = invoicesFor(contracts)
      const changes = analytics.customerChangesOf(invoices, NOW)
      const { months, series } = customersByMonth(invoices, NOW)
      for (const { name, values } of series.slice(1)) {
        const inMonth = (month: number) =>
          changes.filter((each) => each.name === name && each.month === month).map((each) => each.customer_id)
        expect(months.map((month) => new Set(inMonth(month)).size)).toEqual(values)
      }
    }),
    { numRuns },
  )
})

it('returns the same figures all at once as one by one', () => {
  const { figuresOf, monthName, MAX_MONTHS, ...functions } = analytics
  fc.assert(
    fc.property(business, zone, (contracts, timeZone) => {
      const invoices = invoicesFor(contracts)
      const each = Object.entries(functions).map(([name, of]) => [name, of(invoices, NOW, timeZone)])
      expect(figuresOf(invoices, NOW, timeZone)).toEqual(Object.fromEntries(each))
    }),
    { numRuns: runs(10, 2_000) },
  )
})

it('returns the same figures for any order of the invoices', () => {
  fc.assert(
    fc.property(
      business.chain((contracts) => {
        const invoices = invoicesFor(contracts)
        return fc.tuple(
          fc.constant(invoices),
          fc.shuffledSubarray(invoices, { minLength: invoices.length, maxLength: invoices.length }),
        )
      }),
      ([invoices, shuffled]) => {
        expect(chartsOf(shuffled, NOW)).toEqual(chartsOf(invoices, NOW))
        expect(analytics.coverageOf(shuffled, NOW)).toEqual(analytics.coverageOf(invoices, NOW))
        expect(analytics.billedByPlan(shuffled, NOW)).toEqual(analytics.billedByPlan(invoices, NOW))
      },
    ),
    { numRuns },
  )
})

it('returns the same figures some months later if all periods are moved by that many months', () => {
  fc.assert(
    fc.property(business, fc.integer({ min: -300, max: 300 }), (contracts, by) => {
      const moved = contracts.map((of) => ({ ...of, month: of.month + by }))
      const ends = contracts.flatMap(periodsOf).map(({ period_end }) => period_end)
      const now = NOW + 1
      fc.pre(ends.every((end) => end > now || now - end > 3 * 86_400))
      const shifted = Date.UTC(1970, FIRST + 38 + by) / 1000
      const figures = (charts: analytics.Chart<number | null>[]) =>
        charts.map(({ currency, series }) => ({ currency, series }))
      expect(figures(chartsOf(invoicesFor(moved), shifted))).toEqual(
        figures(chartsOf(invoicesFor(contracts), now)),
      )
    }),
    { numRuns },
  )
})

it('changes the recurring revenue by no more than rounding if the rest of a period is credited and charged again', () => {
  const share = fc.double({ min: 0.05, max: 0.95, noNaN: true })
  fc.assert(
    fc.property(business, share, (contracts, fraction) => {
      const invoices = invoicesFor(contracts.map((of) => ({ ...of, amount: Math.abs(of.amount) + 1_000 })))
      const [first] = contracts
      const [period] = periodsOf(first!)
      const full = period!.period_end - period!.period_start
      const start = Math.floor(period!.period_start + full * fraction)
      const remaining = period!.period_end - start
      const rest = Math.round(((Math.abs(first!.amount) + 1_000) * remaining) / full)
      const part = { ...lineFor(first!), type: 'one_time', interval: null, interval_count: null }
      const change = invoiceOf({
        ...{ currency: first!.currency, customer_id: first!.customer, created: start },
        subscription_id: `${first!.customer} ${first!.subscription}`,
        line_items: [-rest, rest].map((amount) => ({
          ...{ ...part, amount },
          ...{ period_start: start, period_end: period!.period_end },
        })),
      })
      const before = recurringByMonth(invoices, NOW)
      const after = recurringByMonth([...invoices, change], NOW)
      const tolerance = 2 * ((0.5 * full) / remaining + 0.5)
      for (const [position, { series }] of before.entries()) {
        const values = after[position]!.series[0]!.values
        const changed = series[0]!.values.filter(
          (value, index) => Math.abs(values[index]! - value) > tolerance,
        )
        expect(changed).toEqual([])
      }
    }),
    { numRuns },
  )
})
