import type { ComponentChildren } from 'preact'
import type { ListColumn } from '../lists/columns.ts'
import './table.css'

export interface TableColumn<Row> {
  readonly key: string
  readonly title: string
  readonly isNumber?: boolean | undefined
  /** Whether its texts are cut if there is no space, and take the remaining width. */
  readonly isCut?: boolean | undefined
  readonly phone?: ListColumn['phone']
  /** Returns the content of a row's cell; null or an empty text for "nothing recorded". */
  readonly cell: (row: Row) => ComponentChildren
}

interface NumberColumn<Row> extends Pick<TableColumn<Row>, 'key' | 'title' | 'phone'> {
  readonly value: (row: Row) => number
}

/** Returns a function that makes columns of numbers, which `text` writes. */
export const numberColumn =
  <Row,>(text: (value: number) => ComponentChildren) =>
  ({ value, ...column }: NumberColumn<Row>): TableColumn<Row> => ({
    ...column,
    isNumber: true,
    cell: (row) => text(value(row)),
  })

/** A row of sums, below the titles or above the rows of its group. */
export interface TableSums {
  readonly group: string
  readonly label: ComponentChildren
  readonly cells: Readonly<Record<string, ComponentChildren>>
}

export interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  /**
   * `dense` has low rows without lines; the first column of `wide-table` stays while others are scrolled. On a phone, `rows` has two
   * lines, and the cells of `stacked` stand below each other.
   */
  readonly kind?: string
  /** The key of the column whose cell is the link of the whole row; by default the first column. */
  readonly linkColumn?: string | undefined
  readonly hrefOf?: ((row: Row) => string | undefined) | undefined
  readonly classOf?: ((row: Row) => string) | undefined
  /** Returns how many columns, from the first, a row has; by default all. */
  readonly lengthOf?: ((row: Row) => number) | undefined
  readonly sums?: readonly TableSums[]
  /** Returns the group of a row. Without it, all sums stand below the titles. */
  readonly groupOf?: ((row: Row) => string) | undefined
  /** The key of the column by which the rows are sorted, after a "-" if the order is descending. */
  readonly sort?: string | undefined
  /** Returns the link that sorts the rows otherwise; without it, the titles of the columns are not links. */
  readonly hrefOfSort?: ((sort: string) => string) | undefined
}

const NO_VALUE = '–'

const isNothing = (content: ComponentChildren): boolean =>
  content === null || content === undefined || content === ''

const classOfColumn = ({ isNumber, isCut }: TableColumn<never>): string =>
  `${isNumber ? 'number' : ''} ${isCut ? 'cut' : ''}`

interface TitlesProps<Row> extends Pick<TableProps<Row>, 'columns' | 'sort' | 'hrefOfSort'> {}

/** The titles of the columns. A click sorts by a column in descending order, and a second click in ascending order. */
const Titles = <Row,>({ columns, sort = '', hrefOfSort }: TitlesProps<Row>) => {
  const isDescending = sort.startsWith('-')
  const sortedKey = isDescending ? sort.slice(1) : sort
  const ariaSort = isDescending ? 'descending' : 'ascending'
  const arrow = isDescending ? ' ↓' : ' ↑'
  const titleOf = ({ key, title }: TableColumn<Row>) => {
    if (!hrefOfSort) return title
    // Computed again at a click, since the address may have changed since the table was rendered.
    const hrefNow = () => hrefOfSort(sort === `-${key}` ? key : `-${key}`)
    return (
      <a
        href={hrefNow()}
        onClick={({ currentTarget }) => {
          currentTarget.href = hrefNow()
        }}
      >
        {title}
        {key === sortedKey && arrow}
      </a>
    )
  }
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            class={classOfColumn(column)}
            data-column={column.key}
            data-phone={column.phone}
            aria-sort={column.key === sortedKey ? ariaSort : undefined}
          >
            <bdi>{titleOf(column)}</bdi>
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface RowProps<Row> extends TableProps<Row> {
  readonly row: Row
}

const TableRow = <Row,>(props: RowProps<Row>) => {
  const { columns, row, hrefOf, linkColumn = columns[0]!.key, classOf, lengthOf } = props
  const href = hrefOf?.(row)
  return (
    <tr class={classOf?.(row)}>
      {columns.slice(0, lengthOf?.(row)).map((column, index) => {
        const { key, cell, phone, isCut } = column
        const content = cell(row)
        const shown = isNothing(content) ? NO_VALUE : content
        const cellProps = {
          class: `${classOfColumn(column)} ${isNothing(content) ? 'none' : ''}`,
          'data-column': key,
          'data-phone': phone,
          title: isCut && typeof content === 'string' ? content : undefined,
        }
        const linked =
          href && key === linkColumn ? (
            <a class="row" href={href}>
              {shown}
            </a>
          ) : (
            shown
          )
        return index === 0 ? (
          <th key={key} scope="row" {...cellProps}>
            {linked}
          </th>
        ) : (
          <td key={key} data-title={column.title} {...cellProps}>
            {linked}
          </td>
        )
      })}
    </tr>
  )
}

interface SumsRowProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly sums: TableSums
  /** Whether the row repeats the sums at the end, for paper. */
  readonly isAtEnd?: boolean
}

/** A row of sums. Columns without a sum have an empty cell, so that the sums stay in their columns when a screen hides some. */
const SumsRow = <Row,>({ columns, sums: { label, cells }, isAtEnd = false }: SumsRowProps<Row>) => (
  <tr class={isAtEnd ? 'sums at-end' : 'sums'} aria-hidden={isAtEnd}>
    <th scope="row" data-column={columns[0]!.key} data-phone="name">
      {label}
    </th>
    {columns.slice(1).map((column) => {
      const { key, isNumber, phone } = column
      return (
        <td
          key={key}
          class={classOfColumn(column)}
          data-column={key}
          data-phone={isNumber || phone === 'wide' ? phone : undefined}
        >
          {cells[key]}
        </td>
      )
    })}
  </tr>
)

/** Its sums stand below the titles, or above each group; on paper, which is read to its end, at the end. */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, columns, rows, kind = '', sums = [], groupOf } = props
  const sumsBefore = (row: Row, index: number): readonly TableSums[] => {
    if (!groupOf) return index === 0 ? sums : []
    const group = groupOf(row)
    const previous = rows[index - 1]
    const isFirst = previous === undefined || groupOf(previous) !== group
    return isFirst ? sums.filter((ofGroup) => ofGroup.group === group) : []
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the element that has the focus
    <section class={`scroll ${kind}`} tabIndex={0} aria-label={label}>
      <table>
        <Titles {...props} />
        <tbody>
          {rows.map((row, index) => [
            ...sumsBefore(row, index).map((ofGroup) => (
              <SumsRow key={`sums ${ofGroup.group}`} columns={columns} sums={ofGroup} />
            )),
            <TableRow key={index} {...props} row={row} />,
          ])}
          {!groupOf && sums.map((each) => <SumsRow key={each.group} columns={columns} sums={each} isAtEnd />)}
        </tbody>
      </table>
    </section>
  )
}
