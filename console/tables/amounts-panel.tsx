import { CsvButton } from '../parts/csv-button.tsx'
import { Panel } from '../parts/panel.tsx'
import type { CsvTable } from '../text/csv.ts'
import { beginning, money } from '../text/format.ts'
import { numberColumn, Table } from './table.tsx'

interface AmountsPanelProps<Row> {
  readonly title: string
  readonly note?: string
  readonly explanation: string
  readonly rule: string
  readonly currency: string
  readonly rows: readonly Row[]
  /** The columns of text, the first of which is the link of the row. */
  readonly texts: Readonly<Record<string, (row: Row) => string>>
  readonly amounts: Readonly<Record<string, (row: Row) => number>>
  readonly hrefOf?: (row: Row) => string
  /** Returns the CSV of all rows, where the panel does not show all. */
  readonly csvContent?: Parameters<typeof CsvButton>[0]['content']
  readonly empty?: string
}

const csvOfPanel = <Row,>({ currency, rows, texts, amounts }: AmountsPanelProps<Row>): CsvTable => ({
  columns: [...Object.keys(texts), 'Currency', ...Object.keys(amounts)],
  rows: rows.map((row) => [
    ...Object.values(texts).map((textOf) => textOf(row)),
    currency,
    ...Object.values(amounts).map((amountOf) => ({ amount: amountOf(row), currency })),
  ]),
})

/** A table of texts and amounts in a panel, which saves it as CSV. */
export const AmountsPanel = <Row,>(props: AmountsPanelProps<Row>) => {
  const { title, note, explanation, rule, currency, rows, texts, amounts, hrefOf, empty } = props
  const { csvContent = () => csvOfPanel(props) } = props
  const amount = numberColumn<Row>((value) => money(value, currency))
  return (
    <Panel
      title={title}
      note={note}
      explanation={explanation}
      rule={rule}
      actions={<CsvButton title={title} content={csvContent} />}
    >
      {rows.length === 0 ? (
        <p class="quiet">{empty}</p>
      ) : (
        <Table
          label={title}
          kind="dense wide-table"
          columns={[
            ...Object.entries(texts).map(([name, textOf]) => ({
              key: name,
              title: name,
              cell: (row: Row) => <bdi>{beginning(textOf(row), 60)}</bdi>,
            })),
            ...Object.entries(amounts).map(([name, value]) => amount({ key: name, title: name, value })),
          ]}
          rows={rows}
          hrefOf={hrefOf}
        />
      )}
    </Panel>
  )
}
