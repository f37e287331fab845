import fc from 'fast-check'
import {
  averageRevenue,
  type CustomersMonth,
  cohortAverages,
  cohortsByQuarter,
  customersByMonth,
  departuresOf,
  discountsByMonth,
  expectedRenewals,
  explainedMovementsOf,
  grossChurn,
  type Invoice,
  lifetime,
  lifetimeValue,
  type MovementsMonth,
  movementsByMonth,
  movementsByPlan,
  netRetention,
  quickRatio,
  trialsByMonth,
} from '../../../client/analytics/index.ts'
import { monthFrom } from '../../../console/text/time-span.ts'
import { range } from '../../support/range.ts'
import { runs } from '../../support/runs.ts'
import { sum } from '../../support/sum.ts'
import { business, NOW, zone } from './biller.ts'
import { billedFor, idsOf, invoiceOf, lineOf, priceOf, seconds } from './invoices.ts'
import { movementKinds } from './written-figures.ts'

const movementsOf = (fields: Partial<MovementsMonth>): MovementsMonth => ({
  month: 600,
  name: '2020-01',
  start: 0,
  new: 0,
  reactivation: 0,
  expansion: 0,
  contraction: 0,
  churn: 0,
  end: 0,
  customers: 0,
  ...fields,
})

describe('the rates', () => {
  it.each([
    [{ new: 30, reactivation: 10, expansion: 20, contraction: -5, churn: -10 }, 4],
    [{ new: 30 }, null],
    [{ churn: -10 }, 0],
  ])('of %j have the quick ratio %s', (fields, ratio) => expect(quickRatio(movementsOf(fields))).toBe(ratio))

  it.each([0, -100])('are unknown if the recurring revenue begins with %d', (start) => {
    const month = movementsOf({ start, contraction: -5, churn: -10, expansion: 3, end: start - 12 })
    expect([grossChurn(month), netRetention(month), averageRevenue(month)]).toEqual([null, null, null])
  })

  /** Returns months, of which each begins with 100 customers and loses some, and the current month, which loses half. */
  const monthsWith = (lost: readonly number[]): CustomersMonth[] =>
    [...lost, 50].map((count, index) => ({
      month: 600 + index,
      name: '',
      active: 100 - count,
      new: 0,
      reactivated: 0,
      lost: count,
    }))

  it.each([
    { title: 'twelve full months', lost: [...range(11).map(() => 2), 14], months: 12 / 0.36 },
    { title: 'the last twelve of thirteen', lost: [90, ...range(12).map(() => 4)], months: 25 },
    { title: 'eleven full months', lost: range(11).map(() => 4), months: null },
    { title: 'twelve months without churn', lost: range(12).map(() => 0), months: null },
  ])('of $title have the lifetime $months', ({ lost, months }) => {
    const customers = monthsWith(lost)
    const found = lifetime(customers)
    if (months === null) expect(found).toBeNull()
    else expect(found).toBeCloseTo(months, 9)
    const movements = [movementsOf({ end: 5000, customers: 5 }), movementsOf({ end: 99, customers: 1 })]
    const value = lifetimeValue(movements, customers)
    if (months === null) expect(value).toBeNull()
    else expect(value).toBeCloseTo(months * 1000, 6)
  })

  it('have no lifetime if a month of the twelve begins without customers', () => {
    const customers = monthsWith(range(12).map(() => 4))
    const empty = { ...customers[0]!, active: 0, lost: 0 }
    expect(lifetime([empty, ...customers.slice(1)])).toBeNull()
    expect(lifetimeValue([movementsOf({})], customers)).toBeNull()
  })
})

it('divides movements by plan so that they add up to the whole, in each currency, and says of which plans each is', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const plans = movementsByPlan(invoices, NOW, timeZone)
      const movements = explainedMovementsOf(invoices, NOW, timeZone)
      for (const { currency, months } of movementsByMonth(invoices, NOW, timeZone))
        for (const [index, month] of months.entries())
          for (const kind of movementKinds) {
            const ofCurrency = plans.filter((plan) => plan.currency === currency)
            expect(sum(ofCurrency.map((plan) => plan.months[index]![kind]))).toBe(month[kind])
            const parts = movements
              .filter(
                (each) => each.month === month.month && each.currency === currency && each.kind === kind,
              )
              .flatMap((movement) => movement.plans)
            for (const { plan, months: ofPlan } of ofCurrency) {
              const amounts = parts.filter(({ key }) => key === plan.key).map(({ amount }) => amount)
              expect(sum(amounts)).toBe(ofPlan[index]![kind])
            }
          }
    }),
    { numRuns: runs(15, 300) },
  )
})

it('lists those who left as often as customers are lost, with what they paid, and their return', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const departures = departuresOf(invoices, NOW, timeZone)
      for (const { month, lost } of customersByMonth(invoices, NOW, timeZone))
        expect(departures.filter((departure) => departure.month === month)).toHaveLength(lost)
      for (const { month, since, tenure, plans, back } of departures) {
        expect(tenure).toBe(month - since)
        expect(tenure).toBeGreaterThan(0)
        expect(sum(plans.map(({ amount }) => amount))).toBeGreaterThan(0)
        if (back !== null) expect(back).toBeGreaterThan(month)
      }
    }),
    { numRuns: runs(15, 300) },
  )
})

const invoiceFor = (id: string, start: string, end: string, amount: number, fields: object = {}) =>
  billedFor(`${start} to ${end}`, { amount, price: priceOf('Pro'), ...fields }, idsOf(id))

it.each([
  {
    title: 'not renewed',
    lines: [['2026-01-31 23:59:59', '2026-02-28 23:59:59', 1000]],
    reason: 'not renewed',
  },
  {
    title: 'credited',
    lines: [
      ['2026-02-01', '2026-03-01', 1000],
      ['2026-02-01', '2026-03-01', -1000],
    ],
    reason: 'credited',
  },
])(
  'says of a customer who left at the last second of February that they were $title',
  ({ lines, reason }) => {
    const january = invoiceFor('a', '2026-01-01', '2026-02-01', 1000)
    const invoices = lines.map(([start, end, amount]) =>
      invoiceFor('a', String(start), String(end), Number(amount)),
    )
    // A plan without revenue is none of those that they had.
    invoices.push(invoiceFor('a', '2026-01-01', '2026-03-01', 0, { price: priceOf('Free') }))
    const [left] = departuresOf(
      reason === 'credited' ? [january, ...invoices] : invoices,
      seconds('2026-03-20'),
    )
    expect(left).toMatchObject({ month: 673, reason, plans: [{ name: 'Pro', amount: 1000 }], back: null })
  },
)

it.each([
  {
    title: 'a conversion by a paid line that begins in the second three days later',
    now: '2026-03-20',
    lines: [['2026-02-18', '2026-03-18', 1000]],
    expected: { ended: 1, converted: 1 },
  },
  {
    title: 'no conversion by a paid line that begins a second later',
    now: '2026-03-20',
    lines: [['2026-02-18 00:00:01', '2026-03-18', 1000]],
    expected: { ended: 1, converted: 0 },
  },
  {
    title: 'none that begins after a paid line',
    now: '2026-03-20',
    lines: [['2026-01-01', '2026-02-01', 1000]],
    expected: { ended: 0, conversion: null },
  },
  {
    title: 'none that has a paid line from its start',
    now: '2026-03-20',
    lines: [['2026-02-01', '2026-02-15', 1000]],
    expected: { ended: 0, converted: 0 },
  },
  {
    title: 'no extension that begins more than three days later',
    now: '2026-03-20',
    lines: [
      ['2026-02-18 00:00:01', '2026-02-27', 0],
      ['2026-02-27', '2026-03-27', 1000],
    ],
    expected: { ended: 1, converted: 0 },
  },
  {
    title: 'no conversion that begins later than now',
    now: '2026-02-17',
    lines: [['2026-02-18', '2026-03-18', 1000]],
    expected: { ended: 1, converted: 0 },
  },
])('counts of trials $title', ({ now, lines, expected }) => {
  const trial = invoiceFor('a', '2026-02-01', '2026-02-15', 0)
  const invoices = lines.map(([start, end, amount]) =>
    invoiceFor('a', String(start), String(end), Number(amount)),
  )
  const months = trialsByMonth([trial, ...invoices], seconds(now))
  expect(months.find(({ name }) => name === '2026-02')).toMatchObject(expected)
})

it.each([
  ['2026-02-28 23:59:59', [0, 0]],
  ['2026-03-01', [0, 1]],
])('counts at %s the trials that ended in each month, one at the first second of March', (now, ended) => {
  const months = trialsByMonth([invoiceFor('a', '2026-02-15', '2026-03-01', 0)], seconds(now))
  expect(months.map((month) => month.ended)).toEqual(ended.slice(0, months.length))
})

it('adds up discounts in each currency, by the month of the invoice', () => {
  const dollars = lineOf({ amount: 500, discount_amount: 50, currency: 'USD' })
  const invoices = [
    invoiceOf({
      created: seconds('2026-01-31 23:59:59'),
      line_items: [lineOf({ amount: 1000, discount_amount: 200 }), dollars],
    }),
    invoiceOf({ created: seconds('2026-02-01'), line_items: [lineOf({ amount: 700 })] }),
    invoiceOf({ created: seconds('2026-03-01'), line_items: [lineOf({ amount: 700, discount_amount: 1 })] }),
  ]
  expect(discountsByMonth(invoices, seconds('2026-02-15'))).toMatchObject([
    {
      currency: 'EUR',
      months: [
        { amount: 1000, discount: 200, share: 0.2 },
        { amount: 700, discount: 0, share: 0 },
      ],
    },
    { currency: 'USD', months: [{ amount: 500, discount: 50, share: 0.1 }, { share: null }] },
  ])
})

it('names the coupon that ends at a renewal once, and the length of the longest interval', () => {
  const coupon = {
    id: 'd1',
    name: 'Start',
    duration: 'repeating',
    duration_in_months: 2,
  } as Invoice['discounts'][number]
  const monthly = {
    ...invoiceFor('a', '2026-02-01', '2026-03-01', 1000, { discount_amount: 100 }),
    discounts: [coupon],
  }
  const yearly = invoiceFor('a', '2025-03-01', '2026-03-01', 9000, {
    interval: 'year',
    price: priceOf('Yearly', { interval: 'year' }),
  })
  expect(expectedRenewals([monthly, yearly], seconds('2026-02-10')).slice(0, 3)).toMatchObject([
    { due: seconds('2026-03-01'), amount: 9900, months: 12, endedDiscounts: [] },
    { due: seconds('2026-04-01'), amount: 1000, months: 1, endedDiscounts: ['Start'] },
    { due: seconds('2026-05-01'), amount: 1000, months: 1, endedDiscounts: [] },
  ])
})

const month = (name: string): number => monthFrom(name)!

/** Each cohort has a value for its own month and each later month until the current one, May 2026. */
const cohorts = [
  { month: month('2025-12'), values: [8, 8, 7, 6, 6, 5] },
  { month: month('2026-01'), values: [10, 9, 8, 8, 7] },
  { month: month('2026-03'), values: [4, 4, 2] },
  { month: month('2026-05'), values: [3] },
]

describe('cohorts of quarters', () => {
  it('have the sum of their first values, and then the sum at the end of each later quarter, or now', () => {
    expect(cohortsByQuarter(cohorts, month('2026-05'))).toEqual([
      // The cohort of December: its value in December, at the end of March, and in May.
      { month: month('2025-10'), values: [8, 6, 5] },
      // The cohorts of January and March: 10 + 4 in their first months, and 7 + 2 in May.
      { month: month('2026-01'), values: [14, 9] },
      { month: month('2026-04'), values: [3] },
    ])
  })

  it('are an empty list if no customer joined', () => {
    expect(cohortsByQuarter([], month('2026-05'))).toEqual([])
  })
})

describe('the averages of cohorts', () => {
  it('include only cohorts that are old enough, and weigh their shares by size', () => {
    const averages = cohortAverages(cohorts)
    expect(averages).toHaveLength(6)
    expect(averages[0]).toEqual({ mean: 25 / 4, share: 1 })
    // In their second months, December has 8 of 8, January 9 of 10 and March 4 of 4.
    expect(averages[1]).toEqual({ mean: 7, share: 21 / 22 })
    expect(averages[5]).toEqual({ mean: 5, share: 5 / 8 })
  })

  it('have no share if the cohorts began with 0', () => {
    expect(cohortAverages([{ month: month('2026-05'), values: [0, 0] }])[1]).toEqual({ mean: 0, share: null })
  })
})
