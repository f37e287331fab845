import type { ComponentChildren } from 'preact'
import type { Chart } from './analytics/charts.ts'
import { monthName } from './analytics/months.ts'
import type { Ranking } from './analytics/rankings.ts'
import { beginning, money, number } from './format.ts'
import { Plot } from './plot.tsx'
import './figures.css'

interface TableProps {
  readonly label: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly head: ComponentChildren; readonly cells: readonly string[] }[]
}

const Table = ({ label, columns, rows }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled with the keyboard too
  <section class="scroll" tabIndex={0} aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column} scope="col" class={index > 0 ? 'number' : ''}>
              <bdi>{beginning(column, 30)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ head, cells }, row) => (
          <tr key={row}>
            <th scope="row">{head}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]} class="number">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** A chart with its figures, the latest month first. */
export const ChartFigure = ({ title, chart }: { readonly title: string; readonly chart: Chart }) => {
  const { currency, months, series } = chart
  const label = currency ? `${title}, ${currency}` : title
  const shown = (value: number) => (currency ? money(value, currency) : number(value))
  return (
    <figure class="card chart">
      <figcaption>{currency ?? 'Subscriptions'}</figcaption>
      <Plot chart={chart} />
      <Table
        label={label}
        columns={['Month', ...series.map(({ name }) => name)]}
        rows={months
          .map((month, index) => ({
            head: monthName(month),
            cells: series.map(({ values }) => shown(values[index]!)),
          }))
          .reverse()}
      />
    </figure>
  )
}

interface RankingFigureProps {
  readonly title: string
  readonly ranking: Ranking
  /** What a row is. */
  readonly of: string
  /** Shows what a row is about. */
  readonly show: (key: string) => ComponentChildren
}

const MOST_ROWS = 100

/** What comes first in one currency. */
export const RankingFigure = ({ title, ranking: { currency, rows }, of, show }: RankingFigureProps) => (
  <figure class="card">
    <figcaption>{currency}</figcaption>
    <Table
      label={`${title}, ${currency}`}
      columns={[of, 'Amount']}
      rows={rows
        .slice(0, MOST_ROWS)
        .map(({ key, amount }) => ({ head: show(key), cells: [money(amount, currency)] }))}
    />
    {rows.length > MOST_ROWS && (
      <p class="quiet">
        The first {MOST_ROWS} of {number(rows.length)}.
      </p>
    )}
  </figure>
)
