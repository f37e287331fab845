import { type ComponentChildren, Fragment } from 'preact'
import { linkTo } from '../frame/address.ts'
import type { Column, Row } from '../lists/columns.ts'
import type { Sums } from '../lists/list-sums.ts'
import { beginning, counted, day, money, number, period } from '../text/format.ts'
import './rows-table.css'

const MAX_CHARACTERS = 60

const textOf = ({ kind, key }: Column, { cells }: Row): string => {
  const value = cells[key]
  if (value === null || value === undefined) return '–'
  if (typeof value === 'string') return beginning(value, MAX_CHARACTERS)
  if (typeof value === 'object') return value.amount !== 0 ? money(value.amount, value.currency) : '–'
  if (kind === 'day') return day(value)
  if (kind === 'period') return period(value, cells.end as number)
  return number(value)
}

const isNumber = ({ kind }: Column): boolean => kind === 'money' || kind === 'count'

const Cell = ({ column, row }: { readonly column: Column; readonly row: Row }) => {
  const text = <bdi>{textOf(column, row)}</bdi>
  if (column.link === 'self') return <a href={linkTo(row.path)}>{text}</a>
  return column.link === 'customer' ? <a href={linkTo(['customers', row.customer])}>{text}</a> : text
}

const classOf = (column: Column, row: Row): string =>
  `${isNumber(column) ? 'number' : ''}${textOf(column, row) === '–' ? ' none' : ''}`

/** A link that leads to where `to` says when it is clicked: the address may have changed since the link was rendered. */
const SortLink = ({ to, children }: { readonly to: () => string; readonly children: ComponentChildren }) => (
  <a
    href={to()}
    onClick={({ currentTarget }) => {
      currentTarget.href = to()
    }}
  >
    {children}
  </a>
)

interface HeaderProps {
  readonly columns: readonly Column[]
  readonly sort: string
  readonly sortBy: ((sort: string) => string) | undefined
}

const Header = ({ columns, sort, sortBy }: HeaderProps) => {
  const sorted = sort.replace(/^-/, '')
  const order = sort.startsWith('-') ? 'descending' : 'ascending'
  const arrow = order === 'descending' ? ' ▼' : ' ▲'
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            class={isNumber(column) ? 'number' : ''}
            data-column={column.key}
            aria-sort={column.key === sorted ? order : undefined}
          >
            {sortBy ? (
              <SortLink to={() => sortBy(sort === `-${column.key}` ? column.key : `-${column.key}`)}>
                {column.title}
                {column.key === sorted && arrow}
              </SortLink>
            ) : (
              column.title
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface SumsRowProps {
  readonly columns: readonly Column[]
  readonly sums: Sums
  readonly noun: string
}

/** The sums of a currency in the columns of its amounts, after its name and the number of its rows. */
const SumsRow = ({ columns, sums, noun }: SumsRowProps) => {
  const firstAmount = columns.findIndex(({ kind }) => kind === 'money')
  return (
    <tr class="sums">
      <th scope="row" colSpan={firstAmount}>
        {`${sums.currency}: ${counted(sums.count, noun)}`}
      </th>
      {columns.slice(firstAmount).map(({ key, kind }) => (
        <td key={key} class={kind === 'money' ? 'number' : ''} data-column={key}>
          {kind === 'money' ? money(sums.amounts[key] ?? 0, sums.currency) : ''}
        </td>
      ))}
    </tr>
  )
}

interface RowsTableProps {
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** What a row is, such as "invoice". */
  readonly noun: string
  /** The sums of all rows of the list, also those of its other pages. */
  readonly sums?: readonly Sums[]
  /** Whether the rows of a currency follow one another, and get its sums as their heading. */
  readonly isGrouped?: boolean
  /** The column by which the rows are sorted, after a "-" if descending, and the link that sorts by another, as of now. */
  readonly sort?: string
  readonly sortBy?: (sort: string) => string
}

/** Rows of the copy as a table, each of two lines on a phone; sorted by its headers. */
export const RowsTable = (props: RowsTableProps) => {
  const { label, columns, rows, noun, sums = [], isGrouped = false, sort = '', sortBy } = props
  const hasHeadings = isGrouped && sums.length > 1
  const headingOf = (row: Row, index: number): Sums | undefined =>
    hasHeadings && row.currency !== rows[index - 1]?.currency
      ? sums.find(({ currency }) => currency === row.currency)
      : undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
    <section class="scroll rows" tabIndex={0} aria-label={label}>
      <table>
        <Header columns={columns} sort={sort} sortBy={sortBy} />
        <tbody>
          {rows.map((row, index) => {
            const heading = headingOf(row, index)
            return (
              <Fragment key={`${row.path[1]} ${row.currency} ${index}`}>
                {heading && <SumsRow columns={columns} sums={heading} noun={noun} />}
                <tr>
                  {columns.map((column) => (
                    <td key={column.key} class={classOf(column, row)} data-column={column.key}>
                      <Cell column={column} row={row} />
                    </td>
                  ))}
                </tr>
              </Fragment>
            )
          })}
        </tbody>
        {sums.length > 0 && (
          <tfoot>
            {sums.map((each) => (
              <SumsRow key={each.currency} columns={columns} sums={each} noun={noun} />
            ))}
          </tfoot>
        )}
      </table>
    </section>
  )
}
