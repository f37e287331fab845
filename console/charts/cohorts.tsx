import type { ComponentChildren } from 'preact'
import { type Cohort, type CohortAverage, cohortAverages, type Month } from '../../client/analytics/index.ts'
import { useTimeZone } from '../frame/time-zone.ts'
import { CsvButton } from '../parts/csv-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { Table } from '../tables/table.tsx'
import type { CsvTable } from '../text/csv.ts'
import { money, number, percentText } from '../text/format.ts'
import { type Months, monthsAround, monthsParameter, timeSpanLabel } from '../text/time-span.ts'
import { titleWithTimeZone } from '../text/time-zone.ts'
import './charts.css'

interface CohortsProps {
  readonly title: string
  readonly base: string
  /** The currency of the values; without one, they are counts. */
  readonly currency?: string
  readonly cohorts: readonly Cohort[]
  readonly areQuarters: boolean
  /** The current month, of which only a part counts. */
  readonly currentMonth: Month
  readonly isPercent: boolean
  readonly linkOfMonths: (months: Months) => string
  readonly children: ComponentChildren
}

interface ShareProps {
  /** The value as a share of the cohort's first value: 1 is 100 %. */
  readonly share: number
  readonly text: string
}

/** A value on a shade that shows how far it is from 100 %: none at 100 %, the darkest at 0 % and from 200 %. */
const Share = ({ share, text }: ShareProps) => {
  const distance = Math.min(1, Math.abs(share - 1))
  return (
    <span class={`share ${share < 1 ? 'below' : ''}`} style={`--distance: ${distance}`}>
      {text}
    </span>
  )
}

const averageCells = ({ currency, isPercent }: CohortsProps, averages: readonly CohortAverage[]) => {
  const meanText = (mean: number) =>
    currency ? money(Math.round(mean), currency) : number(Math.round(mean * 10) / 10)
  return averages.map(({ mean, share }, index) => {
    if (index === 0) return meanText(mean)
    if (share === null) return '–'
    return <Share key={index} share={share} text={isPercent ? percentText(share) : meanText(mean)} />
  })
}

const monthsOf = ({ areQuarters }: CohortsProps, { month }: Cohort): Months =>
  monthsAround(month, areQuarters ? 3 : 1)

const suffixOf = ({ currentMonth }: CohortsProps, { first, count }: Months): string =>
  currentMonth < first + count ? ' so far' : ''

const cohortCells = (props: CohortsProps, cohort: Cohort) => {
  const { currency, isPercent, linkOfMonths } = props
  const [first, ...laterValues] = cohort.values
  const months = monthsOf(props, cohort)
  const heading = (
    <a key="months" href={linkOfMonths(months)}>
      {`${timeSpanLabel(months)}${suffixOf(props, months)}`}
    </a>
  )
  const shares = laterValues.map((value, index) => {
    const share = value / first!
    return <Share key={index} share={share} text={isPercent ? percentText(share) : money(value, currency)} />
  })
  return [heading, money(first!, currency), ...shares]
}

const unitOf = ({ areQuarters }: CohortsProps): string => (areQuarters ? 'Quarter' : 'Month')

const laterColumns = (averages: readonly CohortAverage[]): number[] =>
  averages.slice(1).map((_, index) => index + 1)

const csvOfCohorts = (
  props: CohortsProps,
  averages: readonly CohortAverage[],
  timeZone: string,
): CsvTable => {
  const { base, currency, cohorts } = props
  const unit = unitOf(props)
  return {
    columns: [
      titleWithTimeZone(unit, timeZone),
      'Currency',
      base,
      ...laterColumns(averages).map((count) => `${unit} ${count}`),
    ],
    rows: cohorts.map((cohort) => {
      const months = monthsOf(props, cohort)
      return [
        `${monthsParameter(months)}${suffixOf(props, months)}`,
        currency,
        ...cohort.values.map((amount) => (currency ? { amount, currency } : amount)),
      ]
    }),
  }
}

/** A row for the customers who were new in a month or quarter, the latest first, and a column for each later one. */
export const Cohorts = (props: CohortsProps) => {
  const { title, base, cohorts, children } = props
  const timeZone = useTimeZone()
  const averages = cohortAverages(cohorts)
  const rows = [
    ...cohorts.map((cohort) => cohortCells(props, cohort)).toReversed(),
    ['Average', ...averageCells(props, averages)],
  ]
  const titles = [unitOf(props), base, ...laterColumns(averages).map((count) => `+${count}`)]
  return (
    <Panel
      title={title}
      explanation={children}
      rule="13-cohorts"
      actions={<CsvButton title={title} content={() => csvOfCohorts(props, averages, timeZone)} />}
    >
      {cohorts.length > 0 ? (
        <Table
          label={title}
          kind="dense wide-table"
          columns={titles.map((columnTitle, index) => ({
            key: columnTitle,
            title: columnTitle,
            isNumber: index > 0,
            cell: (row: (typeof rows)[number]) => row[index],
          }))}
          rows={rows}
          classOf={(row) => (row === rows.at(-1) ? 'average' : '')}
          lengthOf={(row) => row.length}
        />
      ) : (
        <p class="quiet">There were no new customers in these months.</p>
      )}
    </Panel>
  )
}
