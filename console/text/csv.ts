import type { Amount } from './amount.ts'
import { decimal } from './format.ts'

/** The value of a cell. */
export type Cell = string | number | Amount | null | undefined

/**
 * Matches the positions where a spreadsheet would see a formula: at the start of a text, and after semicolons, tabs and line
 * breaks, where spreadsheets of some countries begin a cell. Japanese spreadsheets also accept full-width signs.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g

/** Returns a text with an apostrophe before each formula. A spreadsheet treats a cell with an apostrophe as text. */
const withoutFormulas = (text: string): string => text.replace(FORMULA, "'")

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cellText = (cell: Cell): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  return typeof cell === 'string' ? quoted(withoutFormulas(cell)) : decimal(cell.amount, cell.currency)
}

/** Returns a table as CSV (RFC 4180): amounts as exact decimal numbers, and no text that a spreadsheet would run. */
export const csv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
