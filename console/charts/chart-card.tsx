import type { ComponentChildren } from 'preact'
import type { CalendarMonth } from '../../client/analytics/index.ts'
import { CsvButton } from '../parts/download.tsx'
import { Table } from '../parts/records.tsx'
import { csv } from '../text/csv.ts'
import { beginning, money } from '../text/format.ts'
import { Disclosure } from './disclosure.tsx'
import { Formula } from './formula.tsx'
import { type Drawn, Plot, type PlotProps } from './plot.tsx'

/** A column of the figures of a chart, with a value for each month. */
export interface Series {
  readonly key: string
  /** Its label. */
  readonly name: string
  readonly values: readonly number[]
  /** Its colour in the plot. Without one, it is only in the table. */
  readonly hue?: number
  /** Whether it is drawn below 0. */
  readonly isBelow?: boolean
  /** Its label in the running month, if that differs. */
  readonly soFar?: string
  /** Whether its values are counts although those of others are amounts. */
  readonly isCount?: boolean
  /** Returns the link of a month's value. */
  readonly linkIn?: (month: number) => string
}

/** Returns a series of a field that each month has. */
export const seriesOf = <Field extends string>(
  months: readonly Readonly<Record<Field, number>>[],
  field: Field,
  name: string,
): Series => ({ key: field, name, values: months.map((month) => month[field]) })

interface ChartCardProps {
  readonly title: string
  readonly months: readonly CalendarMonth[]
  /** The currency of the values; without one, they are counts. */
  readonly currency?: string
  readonly kind: PlotProps['kind']
  readonly series: readonly Series[]
  /** What the plot shows; by default, the series that have a hue. */
  readonly drawn?: readonly Drawn[]
  /** Whether the months are those to come, the first of which is running. */
  readonly isAhead?: boolean
  readonly isOpen?: boolean
  /** The heading of the rule in the documentation of the figures, if it has one. */
  readonly rule?: string
  readonly children: ComponentChildren
}

/** The running month, and how it is marked since only a part of it counts. */
const runningOf = ({ months, isAhead }: ChartCardProps): PlotProps['running'] =>
  isAhead ? { index: 0, part: ' from now on' } : { index: months.length - 1, part: ' so far' }

const csvOfChart = (props: ChartCardProps): string => {
  const { months, series, currency } = props
  const running = runningOf(props)
  return csv(
    ['Month', 'Currency', ...series.map(({ name }) => name)],
    months.map(({ name }, index) => [
      `${name}${index === running.index ? running.part : ''}`,
      currency,
      ...series.map(({ values, isCount }) =>
        currency && !isCount ? { amount: values[index]!, currency } : values[index]!,
      ),
    ]),
  )
}

interface FiguresProps extends ChartCardProps {
  readonly running: PlotProps['running']
}

/** The figures of a chart, the running month first. */
const Figures = ({ title, months, series, currency, isOpen = false, running }: FiguresProps) => {
  const cell = ({ values, linkIn, isCount }: Series, index: number) => {
    const value = values[index]!
    const text = money(value, isCount ? undefined : currency)
    return value !== 0 && linkIn ? <a href={linkIn(months[index]!.month)}>{text}</a> : text
  }
  const rows = months.map(({ name }, index) => [
    `${name}${index === running.index ? running.part : ''}`,
    ...series.map((column) => cell(column, index)),
  ])
  const columns = ['Month', ...series.map(({ name }) => beginning(name, 60))]
  return (
    <Disclosure about={title} summary="Figures" isOpen={isOpen}>
      <Table
        label={`${title}, figures`}
        columns={columns}
        rows={running.index === 0 ? rows : rows.toReversed()}
      />
    </Disclosure>
  )
}

/** Returns the series that have a hue, as they are drawn. */
const drawnOf = (series: readonly Series[]): Drawn[] =>
  series.flatMap(({ hue, isBelow, ...one }) => {
    if (hue === undefined) return []
    const values = isBelow ? one.values.map((value) => 0 - value) : one.values
    return [{ ...one, hue, values }]
  })

/** A chart with its plot, its figures as a table and as CSV, and how they are counted. */
export const ChartCard = (props: ChartCardProps) => {
  const { title, months, currency, kind, series, drawn = drawnOf(series), rule, children } = props
  const running = runningOf(props)
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        <CsvButton name={title} text={() => csvOfChart(props)} />
      </header>
      <Plot
        title={title}
        kind={kind}
        months={months.map(({ month }) => month)}
        drawn={drawn}
        currency={currency}
        running={running}
      />
      <div class="folded">
        <Figures {...props} running={running} />
        <Formula about={title} rule={rule}>
          {children}
        </Formula>
      </div>
    </section>
  )
}
