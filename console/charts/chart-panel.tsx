import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CalendarMonth } from '../../client/analytics/index.ts'
import { useTimeZone } from '../frame/time-zone.ts'
import { CsvButton } from '../parts/csv-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { Plot } from '../plot/plot.tsx'
import type { Colour, CurrentMonth, PlotData, PlotSeries } from '../plot/plot-data.ts'
import { Table } from '../tables/table.tsx'
import type { CsvTable } from '../text/csv.ts'
import { beginning, money } from '../text/format.ts'
import { titleWithTimeZone } from '../text/time-zone.ts'
import './charts.css'

export interface ChartSeries extends Omit<PlotSeries, 'colour'> {
  /** Its colour in the plot. A series without a colour is only in the table. */
  readonly colour?: Colour
  /** Whether the plot shows its values negated, so that they are below 0. */
  readonly isNegated?: boolean
  /** Whether its values are counts although the chart has a currency. */
  readonly isCount?: boolean
}

export const seriesOf = <Field extends string>(
  months: readonly Readonly<Record<Field, number>>[],
  field: Field,
  label: string,
): ChartSeries => ({ key: field, label, values: months.map((month) => month[field]) })

export interface ChartData {
  readonly title: string
  readonly note?: string
  readonly months: readonly CalendarMonth[]
  /** The currency of the values; without one, they are counts. */
  readonly currency?: string
  readonly kind: PlotData['kind']
  readonly series: readonly ChartSeries[]
  /** The series of the plot; by default, the series that have a colour. */
  readonly plotted?: readonly PlotSeries[]
  readonly legend?: (monthIndex: number) => ComponentChildren
  readonly height?: number
  /** Whether the months are future ones, the first of which is the current month. Otherwise the last month is. */
  readonly isForecast?: boolean
  readonly hasTable?: boolean
  readonly explanation: ComponentChildren
  readonly rule?: string
  readonly actions?: ComponentChildren
}

const currentMonthOf = ({ months, isForecast }: ChartData): CurrentMonth =>
  isForecast ? { index: 0, suffix: ' from now on' } : { index: months.length - 1, suffix: ' so far' }

/** Returns the name of each month, such as "2026-10", or "2026-11 so far" for the current one. */
const monthNames = (chart: ChartData): string[] => {
  const currentMonth = currentMonthOf(chart)
  return chart.months.map(
    ({ name }, index) => `${name}${index === currentMonth.index ? currentMonth.suffix : ''}`,
  )
}

const csvOfChart = (chart: ChartData, timeZone: string): CsvTable => {
  const { series, currency } = chart
  return {
    columns: [titleWithTimeZone('Month', timeZone), 'Currency', ...series.map(({ label }) => label)],
    rows: monthNames(chart).map((name, index) => [
      name,
      currency,
      ...series.map(({ values, isCount }) => {
        const value = values[index]!
        return currency && !isCount ? { amount: value, currency } : value
      }),
    ]),
  }
}

const Figures = (chart: ChartData) => {
  const { title, months, series, currency, isForecast } = chart
  const names = monthNames(chart)
  const indices = months.map((_, index) => index)
  const cellOf = ({ values, linkOfMonth, isCount }: ChartSeries, index: number) => {
    const value = values[index]!
    const text = money(value, isCount ? undefined : currency)
    return value !== 0 && linkOfMonth ? <a href={linkOfMonth(months[index]!.month)}>{text}</a> : text
  }
  return (
    <Table
      label={`${title}, figures`}
      kind="dense wide-table"
      columns={[
        { key: 'month', title: 'Month', cell: (index: number) => names[index] },
        ...series.map((column) => ({
          key: column.key,
          title: beginning(column.label, 30),
          isNumber: true,
          cell: (index: number) => cellOf(column, index),
        })),
      ]}
      rows={isForecast ? indices : indices.toReversed()}
    />
  )
}

const plottedSeries = (series: readonly ChartSeries[]): PlotSeries[] =>
  series.flatMap(({ colour, isNegated, values, ...others }) => {
    if (colour === undefined) return []
    // Subtracted from 0, since the negation of 0 would be formatted as "-0".
    return [{ ...others, colour, values: isNegated ? values.map((value) => 0 - value) : values }]
  })

/**
 * The titles of the charts that the user has chosen to see as a table, so that they still are when the user returns to the
 * page.
 */
const shownAsTable = new Set<string>()

/** A chart in a panel, whose menu shows its figures as a table and saves them as CSV. */
export const ChartPanel = (chart: ChartData) => {
  const { title, note, months, currency, kind, series, plotted = plottedSeries(series), legend } = chart
  const { explanation, rule, actions, height = 190, hasTable = false } = chart
  const timeZone = useTimeZone()
  const [isTable, setIsTable] = useState(shownAsTable.has(title))
  const toggle = () => {
    if (isTable) shownAsTable.delete(title)
    else shownAsTable.add(title)
    setIsTable(!isTable)
  }
  const data: PlotData = {
    title,
    kind,
    months: months.map(({ month }) => month),
    series: plotted,
    currency,
    currentMonth: currentMonthOf(chart),
  }
  const menu = (
    <>
      {!hasTable && (
        <button type="button" onClick={toggle} aria-label={`${title} as a ${isTable ? 'chart' : 'table'}`}>
          {isTable ? 'Show as a chart' : 'Show as a table'}
        </button>
      )}
      <CsvButton title={title} content={() => csvOfChart(chart, timeZone)} />
      {actions}
    </>
  )
  return (
    <Panel title={title} note={note} explanation={explanation} rule={rule} actions={menu}>
      {!isTable && <Plot data={data} height={height} legend={legend} />}
      {(isTable || hasTable) && <Figures {...chart} />}
    </Panel>
  )
}
