import { type ComponentChildren, Fragment } from 'preact'
import { linkTo } from '../frame/address.ts'
import { useTimeZone } from '../frame/time-zone.ts'
import type { Column, Row } from '../lists/columns.ts'
import type { Sums } from '../lists/list-sums.ts'
import { day, period } from '../text/dates.ts'
import { beginning, counted, money, number } from '../text/format.ts'
import './table.css'
import './rows-table.css'

const MAX_CHARACTERS = 60
const NO_VALUE = '–'

/** Returns the text of a cell. An amount of 0 is shown like a missing value. */
const cellText = ({ kind, key }: Column, { cells }: Row, timeZone: string): string => {
  const value = cells[key]
  if (value === null || value === undefined) return NO_VALUE
  if (typeof value === 'string') return beginning(value, MAX_CHARACTERS)
  if (typeof value === 'object') return value.amount === 0 ? NO_VALUE : money(value.amount, value.currency)
  if (kind === 'day') return day(value, timeZone)
  if (kind === 'period') return period(value, cells.end as number, timeZone)
  return number(value)
}

const isNumber = ({ kind }: Column): boolean => kind === 'money' || kind === 'count'

interface CellProps {
  readonly column: Column
  readonly row: Row
}

interface CellContentProps extends CellProps {
  readonly text: string
}

const CellContent = ({ column, row, text }: CellContentProps) => {
  const isolated = <bdi>{text}</bdi>
  if (column.link === 'self') return <a href={linkTo(row.path)}>{isolated}</a>
  if (column.link === 'customer') return <a href={linkTo(['customers', row.customer])}>{isolated}</a>
  return isolated
}

/** Returns the tooltip of a cell: its text, which a narrow column cuts. A number is never cut. */
const titleOf = (column: Column, text: string): string | undefined =>
  isNumber(column) || text === NO_VALUE ? undefined : text

const Cell = ({ column, row }: CellProps) => {
  const text = cellText(column, row, useTimeZone())
  const numberClass = isNumber(column) ? 'number' : ''
  const emptyClass = text === NO_VALUE ? 'none' : ''
  return (
    <td class={`${numberClass} ${emptyClass}`} data-column={column.key} title={titleOf(column, text)}>
      <CellContent column={column} row={row} text={text} />
    </td>
  )
}

interface SortLinkProps {
  readonly hrefNow: () => string
  readonly children: ComponentChildren
}

/** A link whose address is computed again when it is clicked, since the page's address may have changed since it was rendered. */
const SortLink = ({ hrefNow, children }: SortLinkProps) => (
  <a
    href={hrefNow()}
    onClick={({ currentTarget }) => {
      currentTarget.href = hrefNow()
    }}
  >
    {children}
  </a>
)

interface HeaderProps {
  readonly columns: readonly Column[]
  readonly sort: string
  readonly hrefOfSort: ((sort: string) => string) | undefined
}

/** The titles of the columns. A click sorts by a column in descending order, and a second click in ascending order. */
const Header = ({ columns, sort, hrefOfSort }: HeaderProps) => {
  const isDescending = sort.startsWith('-')
  const sortedKey = isDescending ? sort.slice(1) : sort
  const order = isDescending ? 'descending' : 'ascending'
  const arrow = isDescending ? ' ▼' : ' ▲'
  const nextSort = (key: string) => (sort === `-${key}` ? key : `-${key}`)
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            class={isNumber(column) ? 'number' : ''}
            data-column={column.key}
            aria-sort={column.key === sortedKey ? order : undefined}
          >
            {hrefOfSort ? (
              <SortLink hrefNow={() => hrefOfSort(nextSort(column.key))}>
                {column.title}
                {column.key === sortedKey && arrow}
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

/**
 * The row of sums of a currency: the currency, the number of its rows, and the sum of each column of amounts. Columns without a sum
 * have an empty cell, so that the sums stay in their columns when a narrow screen hides some.
 */
const SumsRow = ({ columns, sums, noun }: SumsRowProps) => (
  <tr class="sums">
    <th scope="row" data-column={columns[0]!.key}>{`${sums.currency}: ${counted(sums.count, noun)}`}</th>
    {columns.slice(1).map(({ key, kind }) => (
      <td key={key} class={kind === 'money' ? 'number' : ''} data-column={key}>
        {kind === 'money' ? money(sums.amounts[key] ?? 0, sums.currency) : ''}
      </td>
    ))}
  </tr>
)

interface RowsTableProps {
  /** The name of the table for assistive technology. */
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** The noun of a row, such as "invoice". */
  readonly noun: string
  /** The sums of all rows of the list, also of the rows on its other pages. */
  readonly sums?: readonly Sums[]
  /** Whether the rows are grouped by currency. Then the sums of a currency are the heading of its group. */
  readonly isGrouped?: boolean
  /** The key of the column by which the rows are sorted, after a "-" if the order is descending. */
  readonly sort?: string
  /** Returns the link that sorts the rows otherwise; without it, the titles of the columns are not links. */
  readonly hrefOfSort?: (sort: string) => string
}

/** Rows of the copy as a table, whose headers sort it. On a phone, each row takes two lines. */
export const RowsTable = (props: RowsTableProps) => {
  const { label, columns, rows, noun, sums = [], isGrouped = false, sort = '', hrefOfSort } = props
  const hasGroupHeadings = isGrouped && sums.length > 1
  const groupHeading = (row: Row, index: number): Sums | undefined => {
    const isFirstOfGroup = row.currency !== rows[index - 1]?.currency
    return hasGroupHeadings && isFirstOfGroup
      ? sums.find(({ currency }) => currency === row.currency)
      : undefined
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the element that has the focus
    <section class="scroll rows" tabIndex={0} aria-label={label}>
      <table>
        <Header columns={columns} sort={sort} hrefOfSort={hrefOfSort} />
        <tbody>
          {rows.map((row, index) => {
            const heading = groupHeading(row, index)
            return (
              <Fragment key={`${row.path[1]} ${row.currency} ${index}`}>
                {heading && <SumsRow columns={columns} sums={heading} noun={noun} />}
                <tr>
                  {columns.map((column) => (
                    <Cell key={column.key} column={column} row={row} />
                  ))}
                </tr>
              </Fragment>
            )
          })}
        </tbody>
        {sums.length > 0 && (
          <tfoot>
            {sums.map((currencySums) => (
              <SumsRow key={currencySums.currency} columns={columns} sums={currencySums} noun={noun} />
            ))}
          </tfoot>
        )}
      </table>
    </section>
  )
}
