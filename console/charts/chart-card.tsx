import type { ComponentChildren } from 'preact'
import type { CalendarMonth } from '../../client/analytics/index.ts'
import { useTimeZone } from '../frame/time-zone.ts'
import { CsvButton } from '../parts/csv-button.tsx'
import { Plot } from '../plot/plot.tsx'
import type { CurrentMonth, PlotData, PlotSeries } from '../plot/plot-data.ts'
import { Table } from '../tables/table.tsx'
import { csv } from '../text/csv.ts'
import { beginning, money } from '../text/format.ts'
import { titleWithTimeZone } from '../text/time-zone.ts'
import { Disclosure } from './disclosure.tsx'
import { Formula } from './formula.tsx'

/** A column of the table of a chart, with a value for each month. */
export interface ChartSeries extends Omit<PlotSeries, 'hue'> {
  /** The hue of its colour in the plot, in degrees. A series without a hue is only in the table. */
  readonly hue?: number
  /** Whether the plot shows its values negated, so that they are below 0. */
  readonly isNegated?: boolean
  /** Whether its values are counts although the chart has a currency. */
  readonly isCount?: boolean
}

/** Returns the series of a field of each month's record. */
export const seriesOf = <Field extends string>(
  months: readonly Readonly<Record<Field, number>>[],
  field: Field,
  label: string,
): ChartSeries => ({ key: field, label, values: months.map((month) => month[field]) })

interface ChartCardProps {
  readonly title: string
  readonly months: readonly CalendarMonth[]
  /** The currency of the values; without one, they are counts. */
  readonly currency?: string
  readonly kind: PlotData['kind']
  readonly series: readonly ChartSeries[]
  /** The series of the plot; by default, the series that have a hue. */
  readonly plotted?: readonly PlotSeries[]
  /** Whether the months are future ones, the first of which is the current month. Otherwise the last month is. */
  readonly isForecast?: boolean
  /** Whether the table of the figures is open at first. */
  readonly isOpen?: boolean
  /** The anchor of the rule in the documentation of the figures, if it has a rule. */
  readonly rule?: string
  /** How the values are counted. */
  readonly children: ComponentChildren
}

const currentMonthOf = ({ months, isForecast }: ChartCardProps): CurrentMonth =>
  isForecast ? { index: 0, suffix: ' from now on' } : { index: months.length - 1, suffix: ' so far' }

/** Returns the name of each month, such as "2026-10", or "2026-11 so far" for the current one. */
const monthNames = (props: ChartCardProps): string[] => {
  const currentMonth = currentMonthOf(props)
  return props.months.map(
    ({ name }, index) => `${name}${index === currentMonth.index ? currentMonth.suffix : ''}`,
  )
}

const csvOfChart = (props: ChartCardProps, timeZone: string): string => {
  const { series, currency } = props
  return csv(
    [titleWithTimeZone('Month', timeZone), 'Currency', ...series.map(({ label }) => label)],
    monthNames(props).map((name, index) => [
      name,
      currency,
      ...series.map(({ values, isCount }) => {
        const value = values[index]!
        return currency && !isCount ? { amount: value, currency } : value
      }),
    ]),
  )
}

/** The table of the figures of a chart, the current month first. */
const Figures = (props: ChartCardProps) => {
  const { title, months, series, currency, isForecast, isOpen = false } = props
  const cellOf = ({ values, linkOfMonth, isCount }: ChartSeries, index: number) => {
    const value = values[index]!
    const text = money(value, isCount ? undefined : currency)
    return value !== 0 && linkOfMonth ? <a href={linkOfMonth(months[index]!.month)}>{text}</a> : text
  }
  const columns = ['Month', ...series.map(({ label }) => beginning(label, 60))]
  const rows = monthNames(props).map((name, index) => [
    name,
    ...series.map((column) => cellOf(column, index)),
  ])
  return (
    <Disclosure about={title} summary="Figures" isOpen={isOpen}>
      <Table label={`${title}, figures`} columns={columns} rows={isForecast ? rows : rows.toReversed()} />
    </Disclosure>
  )
}

/** Returns the series that have a hue, as the plot shows them. */
const plottedSeries = (series: readonly ChartSeries[]): PlotSeries[] =>
  series.flatMap(({ hue, isNegated, values, ...others }) => {
    if (hue === undefined) return []
    // Subtracted from 0, since the negation of 0 would be formatted as "-0".
    return [{ ...others, hue, values: isNegated ? values.map((value) => 0 - value) : values }]
  })

/** A chart with its plot, its figures as a table and as CSV, and how they are counted. */
export const ChartCard = (props: ChartCardProps) => {
  const { title, months, currency, kind, series, plotted = plottedSeries(series), rule, children } = props
  const timeZone = useTimeZone()
  const data: PlotData = {
    title,
    kind,
    months: months.map(({ month }) => month),
    series: plotted,
    currency,
    currentMonth: currentMonthOf(props),
  }
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        <CsvButton title={title} content={() => csvOfChart(props, timeZone)} />
      </header>
      <Plot data={data} />
      <div class="folded">
        <Figures {...props} />
        <Formula about={title} rule={rule}>
          {children}
        </Formula>
      </div>
    </section>
  )
}
