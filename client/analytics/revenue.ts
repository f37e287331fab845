import { activeSpans } from './active-lines.ts'
import { chartOf, seriesOf, sumsByMonth } from './charts.ts'
import type { Dataset } from './dataset.ts'
import { byCurrency, groupsOf } from './groups.ts'
import { customersChart, movementsCharts } from './movements.ts'
import type { Chart } from './types.ts'

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Returns the recurring revenue by month, of all plans and of each, a chart for each currency. */
export const recurringCharts = (dataset: Dataset): Chart[] =>
  byCurrency(dataset.lines).map(([currency]) => {
    const lines = dataset.activeLines.filter((line) => line.currency === currency)
    const plans = groupsOf(lines, ({ plan }) => plan.key)
      .map((group) => ({ ...group[0]!.plan, values: sumsByMonth(dataset.months, group) }))
      .sort((a, b) => sumOf(b.values) - sumOf(a.values) || (a.key < b.key ? -1 : 1))
    return chartOf(dataset.months, currency, [
      seriesOf('All plans', sumsByMonth(dataset.months, lines)),
      ...plans,
    ])
  })

/** Returns the number of customers who are active in a currency at the end of each month. */
const activeCustomers = (dataset: Dataset, currency: string | undefined): number[] => {
  const lines = dataset.activeLines.filter((line) => line.currency === currency)
  const customers = groupsOf(lines, ({ invoice }) => invoice.customer_id)
  return sumsByMonth(dataset.months, customers.flatMap(activeSpans))
}

const quotient = (dividend: number, divisor: number): number | null =>
  divisor > 0 ? dividend / divisor : null

const customerChurn = (dataset: Dataset): Chart<number | null> => {
  const [active, added, returned, lost] = customersChart(dataset).series.map(({ values }) => values)
  const churn = active!.map((end, index) => {
    const start = end - added![index]! - returned![index]! + lost![index]!
    return quotient(lost![index]!, start)
  })
  return chartOf(dataset.months, undefined, [seriesOf('Customer churn', churn)])
}

const revenueRates = (dataset: Dataset, { currency, months, series }: Chart): Chart<number | null> => {
  const customers = activeCustomers(dataset, currency)
  const valueIn = (wanted: string, index: number): number =>
    series.find(({ name }) => name === wanted)!.values[index]!
  const lostIn = (index: number): number => valueIn('Churn', index) + valueIn('Contraction', index)
  const keptIn = (index: number): number =>
    valueIn('Start', index) + valueIn('Expansion', index) + lostIn(index)
  const rates = (name: string, rateIn: (index: number) => number | null) =>
    seriesOf(
      name,
      months.map((_, index) => rateIn(index)),
    )
  return chartOf(dataset.months, currency, [
    rates('Gross revenue churn', (index) => quotient(0 - lostIn(index), valueIn('Start', index))),
    rates('Net retention', (index) => quotient(keptIn(index), valueIn('Start', index))),
    rates('Average revenue per customer', (index) => quotient(valueIn('End', index), customers[index]!)),
  ])
}

/** Returns the customer churn by month, and the rates of each currency. */
export const ratesCharts = (dataset: Dataset): Chart<number | null>[] => [
  customerChurn(dataset),
  ...movementsCharts(dataset).map((chart) => revenueRates(dataset, chart)),
]
