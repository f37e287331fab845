import type { ComponentChildren } from 'preact'
import { beginning } from '../text/format.ts'
import './table.css'

interface TableProps {
  /** The name of the table for assistive technology. */
  readonly label: string
  /** The titles of the columns. */
  readonly columns: readonly string[]
  /** Returns whether a column has numbers, by its index. By default all columns except the first have numbers. */
  readonly isNumber?: (columnIndex: number) => boolean
  /** The cells of each row. The first cell is the heading of its row. */
  readonly rows: readonly (readonly ComponentChildren[])[]
  /** Whether the cells of a row stand below each other on a phone, each with the title of its column. */
  readonly isStackedOnPhone?: boolean
}

/** A table, which scrolls if it is too wide, also with the keyboard. */
export const Table = ({
  label,
  columns,
  rows,
  isNumber = (columnIndex) => columnIndex > 0,
  isStackedOnPhone = false,
}: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the element that has the focus
  <section class="scroll" tabIndex={0} aria-label={label}>
    <table class={isStackedOnPhone ? 'stacked' : ''}>
      <thead>
        <tr>
          {columns.map((title, columnIndex) => (
            <th key={title} scope="col" class={isNumber(columnIndex) ? 'number' : ''}>
              <bdi>{beginning(title, 30)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([heading, ...cells], rowIndex) => (
          <tr key={rowIndex}>
            <th scope="row">{heading}</th>
            {cells.map((cell, cellIndex) => (
              <td
                key={cellIndex}
                class={isNumber(cellIndex + 1) ? 'number' : ''}
                data-title={columns[cellIndex + 1]}
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
