import type { Amount } from './amount.ts'
import { decimal } from './format.ts'

/** What a cell of a table holds. */
export type Cell = string | number | Amount | null | undefined

/**
 * A position where a spreadsheet would see a formula: at the start of a text, and after semicolons, tabs and line breaks, since
 * spreadsheets of some countries begin a cell there. Those of Japan also know full-width signs.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g

/** Text that a spreadsheet would run as a formula gets an apostrophe, by which spreadsheets know text. */
const inert = (text: string): string => text.replace(FORMULA, "'")

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const textOf = (cell: Cell): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  return typeof cell === 'string' ? quoted(inert(cell)) : decimal(cell.amount, cell.currency)
}

/** Returns a table as CSV (RFC 4180): amounts as exact decimal numbers, and no text that a spreadsheet would run. */
export const csv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(textOf).join(',')}\r\n`).join('')
