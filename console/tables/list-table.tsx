import { linkTo } from '../frame/address.ts'
import { useTimeZone } from '../frame/time-zone.ts'
import type { ListColumn, ListRow } from '../lists/columns.ts'
import { isAmount } from '../lists/list-sort.ts'
import type { Sums } from '../lists/list-sums.ts'
import { day, monthText, period } from '../text/dates.ts'
import { beginning, counted, money, number, plainAmount, signedMoney } from '../text/format.ts'
import { Table, type TableColumn, type TableSums } from './table.tsx'

const MAX_CHARACTERS = 120

const isNumber = ({ kind }: ListColumn): boolean => kind === 'money' || kind === 'count'

interface ListTableProps {
  readonly label: string
  readonly columns: readonly ListColumn[]
  readonly rows: readonly ListRow[]
  /** The noun of a row, such as "invoice". */
  readonly noun: string
  readonly sums?: readonly Sums[]
  /** Whether the rows are grouped by currency. Then the sums of a currency are the heading of its group. */
  readonly isGrouped?: boolean
  readonly sort?: string
  readonly hrefOfSort?: (sort: string) => string
}

/** Returns the label of a row of sums, such as "24 invoices and 1 credit note, EUR". */
const labelOfSums = ({ currency, count, credits }: Sums, noun: string): string => {
  const creditCount = credits?.count ?? 0
  const creditText = creditCount > 0 ? ` and ${counted(creditCount, 'credit note')}` : ''
  return `${counted(count - creditCount, noun)}${creditText}, ${currency}`
}

const tableSums = ({ columns, noun, sums = [] }: ListTableProps): TableSums[] =>
  sums.map((ofCurrency) => {
    const { currency, amounts, credits } = ofCurrency
    const sumCells = columns
      .filter(({ kind, isUnsummed }) => kind === 'money' && !isUnsummed)
      .map(({ key, isChange }) => [key, (isChange ? signedMoney : money)(amounts[key] ?? 0, currency)])
    const { discount = 0 } = amounts
    const parts = [
      credits && credits.count > 0 && `credit notes ${money(credits.total, currency)}`,
      discount !== 0 && `discounts ${money(-discount, currency)}`,
    ].filter((part) => typeof part === 'string')
    return {
      group: currency,
      label: labelOfSums(ofCurrency, noun),
      cells: {
        what: (
          <small>
            {parts.map((part) => (
              <span key={part} class="whole">
                {part}{' '}
              </span>
            ))}
          </small>
        ),
        ...Object.fromEntries(sumCells),
      },
    }
  })

/** The discount of an invoice, which stands after its description; nothing if it has none. */
const Discount = ({ discount }: ListRow['cells']) =>
  isAmount(discount) && discount.amount !== 0 ? (
    <span class="quiet whole">{` · discount ${money(-discount.amount, discount.currency)}`}</span>
  ) : null

/** Rows of the copy as a table. In a list of one currency, the sums have the currency, and the rows only numbers. */
export const ListTable = (props: ListTableProps) => {
  const { label, rows, sums = [], isGrouped = false, sort, hrefOfSort } = props
  const columns = props.columns.filter(({ key }) => key !== 'discount')
  const timeZone = useTimeZone()
  const [firstSums, ...otherSums] = sums
  const onlyCurrency = otherSums.length === 0 ? firstSums?.currency : undefined
  const contentOf = (column: ListColumn, { cells, customer }: ListRow) => {
    const value = cells[column.key]
    if (value === null || value === undefined) return null
    if (typeof value === 'number') {
      if (column.kind === 'count') return number(value)
      if (column.kind === 'month') return <span class="whole">{monthText(value)}</span>
      const date =
        column.kind === 'period' ? period(value, cells.end as number, timeZone) : day(value, timeZone)
      return <span class="whole">{date}</span>
    }
    if (typeof value === 'object') {
      const { amount, currency } = value
      const text = currency === onlyCurrency ? plainAmount(amount, currency) : money(amount, currency)
      if (amount === 0) return <span class="quiet">{text}</span>
      return column.isChange && amount > 0 ? `+${text}` : text
    }
    const text = beginning(value, MAX_CHARACTERS)
    if (column.key === 'what')
      return (
        <span title={value}>
          <bdi>{text}</bdi>
          <Discount {...cells} />
        </span>
      )
    if (column.link !== 'customer') return column.isCut ? text : <bdi>{text}</bdi>
    return (
      <a href={linkTo(['customers', customer])}>
        <bdi>{text}</bdi>
      </a>
    )
  }
  const tableColumns = columns.map(
    (column): TableColumn<ListRow> => ({
      key: column.key,
      title: column.title,
      isNumber: isNumber(column),
      isCut: column.isCut,
      phone: column.phone,
      cell: (row) => contentOf(column, row),
    }),
  )
  const linkColumn = columns.find(({ link }) => link === 'self')?.key
  return (
    <Table
      label={label}
      kind="rows"
      columns={tableColumns}
      rows={rows}
      linkColumn={linkColumn}
      hrefOf={linkColumn === undefined ? undefined : (row) => linkTo(row.path)}
      sums={tableSums(props)}
      groupOf={isGrouped && sums.length > 1 ? (row) => row.currency : undefined}
      sort={sort}
      hrefOfSort={hrefOfSort}
    />
  )
}
