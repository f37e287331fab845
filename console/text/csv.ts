import { type Amount, decimal } from './format.ts'

export type Cell = string | number | Amount | null | undefined

/**
 * Where a spreadsheet would see a formula: at the start of a text, and after semicolons, tabs and line breaks, where
 * spreadsheets of some countries begin a cell. Japanese spreadsheets also accept full-width signs.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g

/** A text with an apostrophe before each formula. A spreadsheet treats a cell with an apostrophe as text. */
const withoutFormulas = (text: string): string => text.replace(FORMULA, "'")

const quoted = (text: string): string => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The forms of CSV: spreadsheets of most countries read numbers and cells in only one of them. */
export const csvForms = {
  point: { separator: ',', decimalMark: '.' },
  comma: { separator: ';', decimalMark: ',' },
} as const

export type CsvForm = keyof typeof csvForms

export interface CsvTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** `columns` has what each row has in a column, by the titles of the columns. */
export const csvTable = <Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): CsvTable => ({
  columns: Object.keys(columns),
  rows: rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row))),
})

/** "point" is the form of RFC 4180. Amounts are exact numbers, and no text is one that a spreadsheet would run. */
export const csv = ({ columns, rows }: CsvTable, form: CsvForm): string => {
  const { separator, decimalMark } = csvForms[form]
  const numberText = (text: string): string => text.replace('.', decimalMark)
  const cellText = (cell: Cell): string => {
    if (cell === null || cell === undefined) return ''
    if (typeof cell === 'number') return numberText(String(cell))
    if (typeof cell === 'string') return quoted(withoutFormulas(cell))
    return numberText(decimal(cell.amount, cell.currency))
  }
  return [columns, ...rows].map((row) => `${row.map(cellText).join(separator)}\r\n`).join('')
}
