import type { Overview } from '../figures/overview.ts'
import { CsvButton } from '../parts/csv-button.tsx'
import { Table } from '../tables/table.tsx'
import { csv } from '../text/csv.ts'
import { beginning, money, plainName } from '../text/format.ts'
import { customersOfSegment } from './chart-links.ts'
import { Formula } from './formula.tsx'
import { RankedAmounts } from './ranked-amounts.tsx'
import { titleWithMonths } from './title-with-months.ts'

type Segments = NonNullable<Overview['segments']>

interface SegmentBilledProps {
  /** The key of the customers' metadata whose values are the segments. */
  readonly by: string
  readonly overview: Overview
  readonly billed: Segments['billed']
}

/** The billed amount of each segment, the highest first. */
export const SegmentBilled = ({ by, overview, billed }: SegmentBilledProps) => {
  const { currency } = overview
  const title = titleWithMonths(`Billed by ${by}, net`, overview.range)
  const csvOfSegments = () =>
    csv(
      [by, 'Currency', 'Billed, net'],
      billed.map((segment) => [segment.value, currency, { amount: segment.billed, currency }]),
    )
  const rows = billed.map((segment) => ({
    key: segment.value,
    label: segment.value,
    amount: segment.billed,
    link: customersOfSegment(currency, by, segment.value),
  }))
  return (
    <section class="card ranking">
      <header>
        <h2>{title}</h2>
        <CsvButton title={title} content={csvOfSegments} />
      </header>
      <RankedAmounts rows={rows} currency={currency} />
      <Formula about={title} rule="1-what-a-line-is-worth">
        {`The sum of amount − discount of all lines, without tax, by the value of “${by}” that the customer has now. A customer without a value is in “none”.`}
      </Formula>
    </section>
  )
}

interface SegmentMovementsProps {
  /** The key of the customers' metadata whose values are the segments. */
  readonly by: string
  readonly overview: Overview
  readonly movements: Segments['movements']
}

/** The columns of the movements with their titles, in order. */
const movementColumns = [
  ['start', 'Start'],
  ['new', 'New'],
  ['reactivation', 'Reactivation'],
  ['expansion', 'Expansion'],
  ['contraction', 'Contraction'],
  ['churn', 'Churn'],
  ['end', 'Now'],
] as const
const movementTitles = movementColumns.map(([, title]) => title)

/** The movements of each segment's recurring revenue, over all months that are shown. */
export const SegmentMovements = ({ by, overview, movements }: SegmentMovementsProps) => {
  const { currency } = overview
  const title = titleWithMonths(`Movements by ${by}, net`, overview.range)
  const csvOfMovements = () =>
    csv(
      [by, 'Currency', ...movementTitles],
      movements.map((segment) => [
        segment.value,
        currency,
        ...movementColumns.map(([column]) => ({ amount: segment[column], currency })),
      ]),
    )
  return (
    <section class="card full-width">
      <header>
        <h2>{title}</h2>
        <CsvButton title={title} content={csvOfMovements} />
      </header>
      <Table
        label={title}
        columns={[plainName(by), ...movementTitles]}
        rows={movements.map((segment) => [
          <a key={segment.value} href={customersOfSegment(currency, by, segment.value)}>
            <bdi>{beginning(segment.value, 60)}</bdi>
          </a>,
          ...movementColumns.map(([column]) => money(segment[column], currency)),
        ])}
      />
      <Formula about={title} rule="7-movements">
        {`The movements of the months that are shown, added up for the customers with each value of “${by}”: start + new + reactivation + expansion + contraction + churn = now.`}
      </Formula>
    </section>
  )
}
