import fc from 'fast-check'
import {
  type Chart,
  invoicedByMonth,
  MOST_MONTHS,
  monthName,
  recurringByMonth,
  subscriptionsByMonth,
} from '../../../console/analytics.ts'
import { history, invoiceOf, type Line, lineOf, NOW, priceOf, seconds } from './invoices.ts'

/** A chart as rows: the values of a series by the names of its months, without zeros. */
const rowsOf = ({ months, series }: Chart, name: string): Record<string, number> => {
  const { values = [] } = series.find((each) => each.name === name) ?? {}
  return Object.fromEntries(
    months.map((month, index) => [monthName(month), values[index]!]).filter(([, value]) => value !== 0),
  )
}

describe('invoiced by month', () => {
  it('adds the totals of the invoices created in a month, credits too, and never of two currencies', () => {
    const charts = invoicedByMonth(
      [
        invoiceOf({ created: seconds('2026-01-31T23:59:59Z'), total: 1000 }),
        invoiceOf({ created: seconds('2026-02-01'), total: 500 }),
        invoiceOf({ created: seconds('2026-02-28'), total: -200 }),
        invoiceOf({ created: seconds('2026-02-02'), total: 7, currency: 'JPY' }),
      ],
      NOW,
    )
    expect(charts.map((chart) => [chart.currency, rowsOf(chart, 'Invoiced')])).toEqual([
      ['EUR', { '2026-01': 1000, '2026-02': 300 }],
      ['JPY', { '2026-02': 7 }],
    ])
  })

  it('has every month from the first invoice to now, at most ten years', () => {
    const [chart] = invoicedByMonth([invoiceOf({ created: seconds('2025-11-30') })], NOW)
    expect(chart!.months.map(monthName)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02', '2026-03'])
    const [long] = invoicedByMonth([invoiceOf({ created: seconds('0001-01-01') })], NOW)
    expect(long!.months).toHaveLength(MOST_MONTHS)
  })

  it('equals a sum over all invoices, for any history', () => {
    fc.assert(
      fc.property(history, (invoices) => {
        for (const chart of invoicedByMonth(invoices, NOW))
          for (const [index, month] of chart.months.entries()) {
            const of = invoices.filter(({ created, currency }) => {
              return (
                currency === chart.currency &&
                new Date(created * 1000).toISOString().startsWith(monthName(month))
              )
            })
            expect(chart.series[0]!.values[index]).toBe(of.reduce((sum, { total }) => sum + total, 0))
          }
      }),
    )
  })
})

describe('monthly recurring revenue', () => {
  it.each<[string, Partial<Line>, number | undefined]>([
    ['a monthly line is its amount', {}, 1200],
    ['a discount counts', { discount_amount: 200 }, 1000],
    ['a yearly line is a twelfth', { interval: 'year' }, 100],
    ['a line for three months is a third', { interval_count: 3 }, 400],
    ['a weekly line is 365.25 / 84 of it', { interval: 'week' }, 5218],
    ['a daily line is 365.25 / 12 of it', { interval: 'day', amount: 10 }, 304],
    ['a line that is paid once is nothing', { type: 'one_time' }, undefined],
    ['a line without an interval is nothing', { interval: null }, undefined],
    ['a line whose period ended is nothing', { period_end: seconds('2026-02-28T23:59:59Z') }, undefined],
    ['a line without a period has its invoice’s', { period_start: null, period_end: null }, 1200],
  ])('%s', (_, line, expected) => {
    const lines = [lineOf({ amount: 1200, ...line })]
    const [chart] = recurringByMonth([invoiceOf({ line_items: lines })], NOW)
    expect(chart && rowsOf(chart, 'All plans')['2026-02']).toBe(expected)
  })

  it('is by plan, and the plans add up', () => {
    const lines = [
      lineOf({ amount: 100, price: priceOf('Pro') }),
      lineOf({ amount: 40, price: priceOf('Basic') }),
      lineOf({ amount: 2 }),
    ]
    const [chart] = recurringByMonth([invoiceOf({ line_items: lines })], NOW)
    const feb = chart!.series.map(({ name }) => [name, rowsOf(chart!, name)['2026-02']])
    expect(feb).toEqual([
      ['All plans', 142],
      ['Pro', 100],
      ['Basic', 40],
      ['No plan named', 2],
    ])
  })

  it('equals a sum over all lines at the end of each month, for any history', () => {
    fc.assert(
      fc.property(history, (invoices) => {
        for (const { currency, months, series } of recurringByMonth(invoices, NOW))
          for (const [index, month] of months.entries()) {
            const end = seconds(`${monthName(month + 1)}-01`) - 1
            const moment = Math.min(end, NOW)
            let expected = 0
            for (const invoice of invoices)
              for (const line of invoice.line_items) {
                const [start, stop] = [
                  line.period_start ?? invoice.period_start,
                  line.period_end ?? invoice.period_end,
                ]
                const counts = line.type === 'recurring' && line.interval === 'month'
                if (
                  counts &&
                  (line.currency ?? invoice.currency) === currency &&
                  start <= moment &&
                  moment < stop
                )
                  expected += line.amount! - (line.discount_amount ?? 0)
              }
            expect(series[0]!.values[index]).toBe(expected)
          }
      }),
    )
  })
})

describe('subscriptions by month', () => {
  it('counts who is active at the end of a month, who is new, and who is lost', () => {
    const month = (subscription_id: string, start: string, end: string) => {
      const period = { period_start: seconds(start), period_end: seconds(end) }
      return invoiceOf({
        subscription_id,
        ...period,
        created: period.period_start,
        line_items: [lineOf(period)],
      })
    }
    const chart = subscriptionsByMonth(
      [
        month('stays', '2025-12-01', '2026-01-01'),
        month('stays', '2026-01-01', '2026-04-01'),
        month('leaves', '2025-12-15', '2026-01-15'),
        month('comes', '2026-02-10', '2026-03-10'),
      ],
      NOW,
    )
    expect(chart.months.map(monthName)).toEqual(['2025-12', '2026-01', '2026-02', '2026-03'])
    expect(chart.series).toEqual([
      { name: 'Active', values: [2, 1, 2, 1] },
      { name: 'New', values: [2, 0, 1, 0] },
      { name: 'Lost', values: [0, 1, 0, 1] },
    ])
  })

  it('are as many as a month before, and the new ones, without the lost ones', () => {
    fc.assert(
      fc.property(history, (invoices) => {
        const [active, fresh, lost] = subscriptionsByMonth(invoices, NOW).series.map(({ values }) => values)
        for (let index = 1; index < active!.length; index += 1)
          expect(active![index]).toBe(active![index - 1]! + fresh![index]! - lost![index]!)
      }),
    )
  })
})
