import type { Column } from '../lists/columns.ts'
import type { Sums } from '../lists/list-sums.ts'
import { counted, money } from '../text/format.ts'
import { Table } from './records.tsx'
import './list-sums.css'

/** What the sums of all invoices of a month are called in the figures, so that they can be compared. */
const alsoCalled: Readonly<Record<string, string>> = {
  net: '= “Billed” in Finance',
  total: '= “Invoiced” in the overview',
}

interface SumsOfListProps {
  readonly sums: readonly Sums[]
  readonly columns: readonly Column[]
  readonly noun: string
  /** Whether all invoices of a month are summed, whose sums the figures have too. */
  readonly areFigures: boolean
}

interface OneCurrencyProps extends Omit<SumsOfListProps, 'sums'> {
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
          {areFigures && alsoCalled[key] && <dd class="quiet">{alsoCalled[key]}</dd>}
        </div>
      ))}
      {credits && (
        <div>
          <dt>Of which credits</dt>
          <dd>{money(credits.total, currency)}</dd>
          <dd class="quiet">{counted(credits.count, 'credit')}</dd>
        </div>
      )}
    </dl>
  )
}

const SeveralCurrencies = ({ sums, columns, noun }: SumsOfListProps) => {
  const hasCredits = sums.some(({ credits }) => credits)
  return (
    <div class="list-sums-table">
      <Table
        label="Sums"
        columns={['Sums', ...columns.map(({ title }) => title), ...(hasCredits ? ['Of which credits'] : [])]}
        rows={sums.map(({ currency, count, amounts, credits }) => [
          `${currency}: ${counted(count, noun)}`,
          ...columns.map(({ key }) => money(amounts[key] ?? 0, currency)),
          ...(credits ? [money(credits.total, currency)] : []),
        ])}
      />
    </div>
  )
}

/** The sums of all rows of a list above it, for each currency. */
export const SumsOfList = (props: SumsOfListProps) => {
  const [sums, ...others] = props.sums
  const columns = props.columns.filter(({ kind }) => kind === 'money')
  if (!sums) return null
  return others.length === 0 ? (
    <OneCurrency {...props} sums={sums} columns={columns} />
  ) : (
    <SeveralCurrencies {...props} columns={columns} />
  )
}
