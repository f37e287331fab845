import type { ComponentChildren } from 'preact'
import { monthName } from '../../client/analytics/index.ts'
import { averagesOf, type Cohort, type CohortAverage } from '../figures/cohorts.ts'
import { CsvButton } from '../parts/download.tsx'
import { Table } from '../parts/records.tsx'
import { csv } from '../text/csv.ts'
import { money, monthText, number, percent } from '../text/format.ts'
import { monthsAround, monthsText, timeSpanWords } from '../text/time-span.ts'
import { Formula } from './formula.tsx'

interface CohortsProps {
  readonly title: string
  /** What the first value of a cohort is called. */
  readonly base: string
  /** The currency of the values; without one, they are counts. */
  readonly currency?: string
  readonly cohorts: readonly Cohort[]
  /** Whether a cohort, and a column, is of a quarter instead of a month. */
  readonly areQuarters: boolean
  readonly isPercent: boolean
  /** Returns the link to the customers who joined in a month. */
  readonly linkOf: (month: string) => string
  readonly children: ComponentChildren
}

/** Returns how dark a share is: not at all at 100 %, the most at nothing and at twice as much. */
const distanceOf = (share: number): number => Math.min(1, Math.abs(share - 1))

interface ShareProps {
  readonly share: number
  readonly text: string
}

/** A value, on a ground that says how far from 100 % it is, and on which side. */
const Share = ({ share, text }: ShareProps) => (
  <span class={`share ${share < 1 ? 'below' : ''}`} style={`--distance: ${distanceOf(share)}`}>
    {text}
  </span>
)

/** What all cohorts come to, in the row below them. */
const averageRow = ({ currency, isPercent }: CohortsProps, averages: readonly CohortAverage[]) => {
  const meanText = (mean: number) =>
    currency ? money(Math.round(mean), currency) : number(Math.round(mean * 10) / 10)
  return averages.map(({ mean, share }, index) => {
    if (index === 0) return meanText(mean)
    if (share === null) return '–'
    return <Share key={index} share={share} text={isPercent ? percent(share) : meanText(mean)} />
  })
}

/** Cohorts as a table: a row for the customers of each month or quarter, the latest first, and a column for each later one. */
export const Cohorts = (props: CohortsProps) => {
  const { title, base, currency, cohorts, areQuarters, isPercent, linkOf, children } = props
  const unit = areQuarters ? 'Quarter' : 'Month'
  const averages = averagesOf(cohorts)
  const later = averages.slice(1).map((_, index) => `${index + 1}`)
  const nameOf = (month: number) =>
    areQuarters ? (
      timeSpanWords(monthsAround(month, 3))
    ) : (
      <a key="month" href={linkOf(monthName(month))}>
        {monthText(month)}
      </a>
    )
  const rows = cohorts.map(({ month, values: [first, ...values] }) => [
    nameOf(month),
    money(first!, currency),
    ...values.map((value, index) => {
      const share = value / first!
      return <Share key={index} share={share} text={isPercent ? percent(share) : money(value, currency)} />
    }),
  ])
  const text = () =>
    csv(
      [unit, 'Currency', base, ...later.map((count) => `${unit} ${count}`)],
      cohorts.map(({ month, values }) => [
        areQuarters ? monthsText(monthsAround(month, 3)) : monthName(month),
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
          columns={[unit, base, ...later.map((count) => `+${count}`)]}
          rows={[...rows.toReversed(), ['Average', ...averageRow(props, averages)]]}
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
