import { monthName } from '../../client/analytics/index.ts'
import type { Cohort } from '../copy/finance.ts'
import { csv } from '../text/csv.ts'
import { money, monthText, percent } from '../text/format.ts'
import { CsvButton } from './download.tsx'
import { Formula } from './formula.tsx'
import { Table } from './records.tsx'

interface CohortsProps {
  readonly title: string
  /** What the first value of a cohort is called. */
  readonly base: string
  /** The currency of the values; without one, they are counts. */
  readonly currency?: string
  readonly cohorts: readonly Cohort[]
  readonly isPercent: boolean
  /** Returns the link to the customers who joined in a month. */
  readonly linkOf: (month: string) => string
  readonly children: string
}

/** Cohorts as a table: a row for the customers of each month, the latest first, a column for each month after it. */
export const Cohorts = (props: CohortsProps) => {
  const { title, base, currency, cohorts, isPercent, linkOf, children } = props
  const longest = cohorts.reduce((most, { values }) => Math.max(most, values.length), 1)
  const later = Array.from({ length: longest - 1 }, (_, index) => `${index + 1}`)
  const rows = cohorts.map(({ month, values: [first, ...values] }) => [
    <a key="month" href={linkOf(monthName(month))}>
      {monthText(month)}
    </a>,
    money(first!, currency),
    ...values.map((value, index) => {
      const share = value / first!
      return (
        <span key={index} class="share" style={`--share: ${Math.min(1, Math.max(0, share))}`}>
          {isPercent ? percent(share) : money(value, currency)}
        </span>
      )
    }),
  ])
  const text = () =>
    csv(
      ['Month', 'Currency', base, ...later.map((count) => `Month ${count}`)],
      cohorts.map(({ month, values }) => [
        monthName(month),
        currency,
        ...values.map((amount) => (currency ? { amount, currency } : amount)),
      ]),
    )
  return (
    <section class="card cohorts">
      <header>
        <h2>{title}</h2>
        <CsvButton name={title} text={text} />
      </header>
      {cohorts.length > 0 ? (
        <Table
          label={title}
          columns={['Month', base, ...later.map((count) => `+${count}`)]}
          rows={rows.toReversed()}
        />
      ) : (
        <p class="quiet">None in these months.</p>
      )}
      <Formula about={title} rule="13-cohorts">
        {children}
      </Formula>
    </section>
  )
}
