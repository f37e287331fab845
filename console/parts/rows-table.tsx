import type { ComponentChildren } from 'preact'
import type { Column, Row } from '../copy/columns.ts'
import { linkTo } from '../frame/address.ts'
import { beginning, day, money, number, period } from '../text/format.ts'
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

interface RowsTableProps {
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** The column by which the rows are sorted, after a "-" if descending, and the link that sorts by another, as of now. */
  readonly sort?: string
  readonly sortBy?: (sort: string) => string
}

/** Rows of the copy as a table, each of two lines on a phone; sorted by its headers. */
export const RowsTable = ({ label, columns, rows, sort = '', sortBy }: RowsTableProps) => {
  const sorted = sort.replace(/^-/, '')
  const order = sort.startsWith('-') ? 'descending' : 'ascending'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
    <section class="scroll rows" tabIndex={0} aria-label={label}>
      <table>
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
                    {column.key === sorted && (order === 'descending' ? ' ▼' : ' ▲')}
                  </SortLink>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.path[1]} ${row.currency}`}>
              {columns.map((column) => (
                <td key={column.key} class={classOf(column, row)} data-column={column.key}>
                  <Cell column={column} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
