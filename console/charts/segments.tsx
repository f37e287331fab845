import type { Overview } from '../figures/overview.ts'
import { linkTo } from '../frame/address.ts'
import { CsvButton } from '../parts/download.tsx'
import { Table } from '../parts/records.tsx'
import { csv } from '../text/csv.ts'
import { beginning, money, plainName } from '../text/format.ts'
import { Formula } from './formula.tsx'

type Segments = NonNullable<Overview['segments']>

interface SegmentBilledProps {
  readonly by: string
  readonly overview: Overview
  readonly billed: Segments['billed']
}

/** Returns the link to the customers of a segment. */
const customersOf = (currency: string, by: string, segment: string): string =>
  linkTo(['customers'], { currency, by, segment })

const rangeWords = ({ range }: Overview): string => `${range ?? 'all'} months`

/** What was billed to the customers with each value of a key of the metadata. */
export const SegmentBilled = ({ by, overview, billed }: SegmentBilledProps) => {
  const { currency } = overview
  const title = `Billed by ${by}, net, ${rangeWords(overview)}`
  const greatest = Math.max(1, ...billed.map((segment) => segment.billed))
  const text = () =>
    csv(
      [by, 'Currency', 'Billed, net'],
      billed.map((segment) => [segment.value, currency, { amount: segment.billed, currency }]),
    )
  return (
    <section class="card ranking">
      <header>
        <h2>{title}</h2>
        <CsvButton name={title} text={text} />
      </header>
      <ol>
        {billed.map((segment) => (
          <li key={segment.value}>
            <a href={customersOf(currency, by, segment.value)}>
              <bdi>{beginning(segment.value, 60)}</bdi>
            </a>
            <span>{money(segment.billed, currency)}</span>
            <meter min={0} max={greatest} value={Math.max(segment.billed, 0)} aria-hidden="true" />
          </li>
        ))}
      </ol>
      <Formula about={title} rule="1-what-a-line-is-worth">
        {`The sum of amount − discount of all lines, without tax, by the value of “${by}” that the customer has now. A customer without one is “none”.`}
      </Formula>
    </section>
  )
}

interface SegmentMovementsProps {
  readonly by: string
  readonly overview: Overview
  readonly movements: Segments['movements']
}

const columns = ['start', 'new', 'reactivation', 'expansion', 'contraction', 'churn', 'end'] as const
const titles = ['Start', 'New', 'Reactivation', 'Expansion', 'Contraction', 'Churn', 'Now']

/** The movements of the recurring revenue of each segment, over all months that are shown. */
export const SegmentMovements = ({ by, overview, movements }: SegmentMovementsProps) => {
  const { currency } = overview
  const title = `Movements by ${by}, net, ${rangeWords(overview)}`
  const text = () =>
    csv(
      [by, 'Currency', ...titles],
      movements.map((segment) => [
        segment.value,
        currency,
        ...columns.map((column) => ({ amount: segment[column], currency })),
      ]),
    )
  return (
    <section class="card whole">
      <header>
        <h2>{title}</h2>
        <CsvButton name={title} text={text} />
      </header>
      <Table
        label={title}
        columns={[plainName(by), ...titles]}
        rows={movements.map((segment) => [
          <a key={segment.value} href={customersOf(currency, by, segment.value)}>
            <bdi>{beginning(segment.value, 60)}</bdi>
          </a>,
          ...columns.map((column) => money(segment[column], currency)),
        ])}
      />
      <Formula about={title} rule="7-movements">
        {`The movements of the months that are shown, added up for the customers with each value of “${by}”: start + new + reactivation + expansion + contraction + churn = now.`}
      </Formula>
    </section>
  )
}
