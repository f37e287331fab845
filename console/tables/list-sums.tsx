import type { Column } from '../lists/columns.ts'
import type { Sums } from '../lists/list-sums.ts'
import { counted, money } from '../text/format.ts'
import { Table } from './table.tsx'
import './list-sums.css'

/** The names that the sums of a month's invoices have in the figures, by the key of their column. */
const namesInFigures: Readonly<Record<string, string>> = {
  net: '= “Billed” in Finance',
  total: '= “Invoiced” in the overview',
}

interface ListSumsProps {
  readonly sums: readonly Sums[]
  readonly columns: readonly Column[]
  /** The noun of a row, such as "invoice". */
  readonly noun: string
  /** Whether the sums are of all invoices of a month, so that the figures have the same amounts. */
  readonly areFigures?: boolean
}

interface OneCurrencyProps extends Omit<ListSumsProps, 'sums'> {
  readonly sums: Sums
}

const OneCurrency = ({ sums, columns, noun, areFigures }: OneCurrencyProps) => {
  const { currency, count, amounts, credits } = sums
  return (
    <dl class="card list-sums">
      <div>
        <dt>{currency}</dt>
        <dd>{counted(count, noun)}</dd>
      </div>
      {columns.map(({ key, title }) => (
        <div key={key}>
          <dt>{title}</dt>
          <dd>{money(amounts[key] ?? 0, currency)}</dd>
          {areFigures && namesInFigures[key] && <dd class="quiet">{namesInFigures[key]}</dd>}
        </div>
      ))}
      {credits && (
        <div>
          <dt>Of which credit notes</dt>
          <dd>{money(credits.total, currency)}</dd>
          <dd class="quiet">{counted(credits.count, 'credit')}</dd>
        </div>
      )}
    </dl>
  )
}

const SeveralCurrencies = ({ sums, columns, noun }: ListSumsProps) => {
  const hasCredits = sums.some(({ credits }) => credits)
  return (
    <div class="list-sums-table">
      <Table
        label="Sums"
        isStackedOnPhone
        columns={[
          'Sums',
          ...columns.map(({ title }) => title),
          ...(hasCredits ? ['Of which credit notes'] : []),
        ]}
        rows={sums.map(({ currency, count, amounts, credits }) => [
          `${currency}: ${counted(count, noun)}`,
          ...columns.map(({ key }) => money(amounts[key] ?? 0, currency)),
          ...(credits ? [money(credits.total, currency)] : []),
        ])}
      />
    </div>
  )
}

/** The sums of all rows of a list, for each currency. Nothing is shown for a list without amounts. */
export const ListSums = (props: ListSumsProps) => {
  const [firstSums, ...otherSums] = props.sums
  const amountColumns = props.columns.filter(({ kind }) => kind === 'money')
  if (!firstSums) return null
  return otherSums.length === 0 ? (
    <OneCurrency {...props} sums={firstSums} columns={amountColumns} />
  ) : (
    <SeveralCurrencies {...props} columns={amountColumns} />
  )
}
