import { type Book, chartOf, named, sortedGroups } from './book.ts'
import type { Holding, Span } from './holdings.ts'
import { activeOf, customersChart, movementsChart } from './movements.ts'
import type { Chart, Series } from './types.ts'

/** Returns what amounts come to at the end of each month. */
const valuesOf = ({ months }: Book, spans: readonly Span[]): number[] => {
  const first = months[0]!
  const changes = [...months, 0].map(() => 0)
  for (const { from, to, monthly } of spans) {
    changes[Math.max(0, from - first)]! += monthly
    changes[Math.max(0, to - first)]! -= monthly
  }
  let value = 0
  return months.map((_, index) => {
    value += changes[index]!
    return value
  })
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const plansOf = (book: Book, holdings: readonly Holding[]): Series[] =>
  [...Map.groupBy(holdings, ({ plan }) => plan.key).values()]
    .map((held) => ({ ...held[0]!.plan, values: valuesOf(book, held) }))
    .sort((a, b) => sumOf(b.values) - sumOf(a.values) || (a.key < b.key ? -1 : 1))

/** Returns the recurring revenue of a month, of all plans and by plan, a chart for each currency. */
export const recurringCharts = (book: Book): Chart[] => {
  const byCurrency = Map.groupBy(book.holdings, ({ currency }) => currency)
  return sortedGroups(book.lines, ({ currency }) => currency).map(([currency]) => {
    const held = byCurrency.get(currency) ?? []
    return chartOf(book, currency, [named('All plans', valuesOf(book, held)), ...plansOf(book, held)])
  })
}

/** Returns the number of customers who are active in a currency at the end of each month. */
const activeIn = (book: Book, currency: string | undefined): number[] => {
  const held = book.holdings.filter((holding) => holding.currency === currency)
  const byCustomer = Map.groupBy(held, ({ invoice }) => invoice.customer_id)
  return valuesOf(book, [...byCustomer.values()].flatMap(activeOf))
}

/** Divides; null where there is nothing to divide by. */
const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)

const customerChurn = (book: Book): Chart<number | null> => {
  const [active, fresh, back, lost] = customersChart(book).series.map(({ values }) => values)
  const churn = active!.map((end, index) => {
    const start = end - fresh![index]! - back![index]! + lost![index]!
    return shareOf(lost![index]!, start)
  })
  return chartOf(book, undefined, [named('Customer churn', churn)])
}

const revenueRates = (book: Book, { currency, months, series }: Chart): Chart<number | null> => {
  const active = activeIn(book, currency)
  const rates = months.map((_, index) => {
    const at = (wanted: string): number => series.find(({ name }) => name === wanted)!.values[index]!
    const fewer = at('Churn') + at('Contraction')
    return {
      grossChurn: shareOf(0 - fewer, at('Start')),
      retention: shareOf(at('Start') + at('Expansion') + fewer, at('Start')),
      average: shareOf(at('End'), active[index]!),
    }
  })
  return chartOf(book, currency, [
    named(
      'Gross revenue churn',
      rates.map(({ grossChurn }) => grossChurn),
    ),
    named(
      'Net retention',
      rates.map(({ retention }) => retention),
    ),
    named(
      'Average revenue per customer',
      rates.map(({ average }) => average),
    ),
  ])
}

/** Returns the customer churn of each month, and the rates of each currency. */
export const ratesCharts = (book: Book): Chart<number | null>[] => [
  customerChurn(book),
  ...movementsChart(book).map((chart) => revenueRates(book, chart)),
]
