import type { Overview } from '../figures/overview.ts'
import { CsvButton } from '../parts/csv-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { Table } from '../tables/table.tsx'
import { beginning, changeText, money, plainName } from '../text/format.ts'
import { customersOfSegment } from './chart-links.ts'
import { monthsText } from './months-text.ts'

const movementColumns = [
  ['start', 'Start'],
  ['new', 'New'],
  ['reactivation', changeText('reactivation')],
  ['expansion', 'Expansion'],
  ['contraction', 'Contraction'],
  ['churn', changeText('churn')],
  ['end', 'Now'],
] as const
const movementTitles = movementColumns.map(([, title]) => title)

interface SegmentMovementsProps {
  /** The key of the customers' metadata whose values are the segments. */
  readonly by: string
  readonly overview: Overview
  readonly movements: NonNullable<Overview['segments']>
}

export const SegmentMovements = ({ by, overview, movements }: SegmentMovementsProps) => {
  const { currency } = overview
  const title = `Movements by ${by}, net, ${monthsText(overview.range)}`
  const csvOfMovements = () => ({
    columns: [by, 'Currency', ...movementTitles],
    rows: movements.map((segment) => [
      segment.value,
      currency,
      ...movementColumns.map(([column]) => ({ amount: segment[column], currency })),
    ]),
  })
  return (
    <Panel
      title={title}
      rule="7-movements"
      actions={<CsvButton title={title} content={csvOfMovements} />}
      explanation={`The movements of the months that are shown, added up for the customers with each value of “${by}”: start + new + reactivated + expansion + contraction + lost = now. A customer without a value is in “none”.`}
    >
      <Table
        label={title}
        kind="dense wide-table"
        rows={movements}
        hrefOf={({ value }) => customersOfSegment(currency, by, value)}
        columns={[
          { key: 'value', title: plainName(by), cell: ({ value }) => <bdi>{beginning(value, 60)}</bdi> },
          ...movementColumns.map(([column, columnTitle]) => ({
            key: column,
            title: columnTitle,
            isNumber: true,
            cell: (segment: (typeof movements)[number]) => money(segment[column], currency),
          })),
        ]}
      />
    </Panel>
  )
}
