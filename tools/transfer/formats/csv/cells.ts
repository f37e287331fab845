import { singleQuoted } from '../../../../shared/text/shell.ts'
import { CommandError } from '../../../cli/command.ts'
import type { Reading } from '../../row.ts'
import { fieldValue, refuseChangedId } from './cell-values.ts'
import { type Column, cellOf, columnName } from './columns.ts'
import { type ConvertedCell, convertCell } from './convert-cell.ts'
import { type CsvCell, textOfCell } from './csv-records.ts'
import type { Header } from './header.ts'
import type { Notation } from './notation.ts'

/** Returns the readings of several cells, or of a record and its parts, as one. */
export const joinReadings = (readings: readonly Reading[]): Required<Reading> => ({
  hints: readings.flatMap(({ hints = [] }) => hints),
  conversions: readings.flatMap(({ conversions = [] }) => conversions),
  notationOptions: [...new Set(readings.flatMap(({ notationOptions = [] }) => notationOptions))],
})

/** The values of a record, and what is wrong with its cells. */
export interface RecordValues extends Reading {
  /** The values by field. Fields whose cell is empty are absent. */
  readonly values: Readonly<Record<string, unknown>>
  /** The problems, each a sentence. */
  readonly problems: readonly string[]
  /** Where its `period_end` is, and its cell: `line 2 of invoices.csv, column "Bis": period_end "31.10.2025"`. */
  readonly periodEnd?: string
}

/** The file of a record, and what has been shown to the user so far. */
export interface CellContext extends Pick<Header, 'names' | 'sheetType'> {
  readonly file: string
  readonly notation: Notation
  /** The names of the columns of this file for which the conversion of a cell has been shown. */
  readonly shownColumns: Set<string>
  /** Whether the notice that days are UTC has been shown, for this file or another one. */
  readonly utcNotice: { isShown: boolean }
}

/** The place of a record, and its currency; empty if it has none. */
interface RecordContext {
  readonly line: number
  readonly currency: string
}

interface CellValue extends Reading {
  readonly value: unknown
  readonly problems: readonly string[]
}

/**
 * Returns how a cell was converted, if its column has not been shown yet, and a notice that days are UTC, if it is the first
 * one.
 */
const newConversions = (
  column: Column,
  { conversions = [], isReadAsUtc }: ConvertedCell,
  { shownColumns, utcNotice }: CellContext,
): string[] => {
  const shown: string[] = []
  const name = columnName(column)
  if (conversions.length > 0 && !shownColumns.has(name)) {
    shownColumns.add(name)
    shown.push(...conversions)
  }
  if (isReadAsUtc && !utcNotice.isShown) {
    utcNotice.isShown = true
    shown.push('days are UTC; --zone AREA/CITY reads them in a time zone')
  }
  return shown
}

/** The name of a column in its file. */
const headerOf = (column: Column, { names }: CellContext): string =>
  'indexes' in column.source
    ? column.source.indexes.map((index) => names[index]).join(',')
    : columnName(column)

/** Advice for a quantity such as `1.5`. */
const quantityHints = (column: Column, value: unknown, context: CellContext): string[] => {
  if (column.field !== 'quantity' || typeof value !== 'string') return []
  const option = `--map "${context.sheetType.name}:${headerOf(column, context)}="`
  return [
    `The amount of a line item is that of its whole quantity: ${option} leaves out a quantity that is no integer.`,
  ]
}

/** Reads a cell that is not empty. Throws CommandError for a cell that another option reads, and for an id that another program has changed. */
const readCell = (
  column: Column,
  cell: string,
  { line, currency }: RecordContext,
  context: CellContext,
): CellValue => {
  const { field, schema } = column
  const { file, notation } = context
  const converted = convertCell({ name: field, schema, text: cell, currency }, notation)
  const { hints = [], notationOptions = [] } = converted
  const place = `line ${line} of ${file}`
  refuseChangedId(cell, { place, field, schema })
  const problems: string[] = []
  if (converted.problem !== undefined) problems.push(converted.problem)
  if (converted.stopsImport)
    throw new CommandError(
      `${place}: ${converted.problem} Nothing is recorded, because other ${schema.kind === 'money' ? 'amounts' : 'dates'} could be misread without an error`,
    )
  if (schema.items?.properties && notation.decimal !== undefined)
    problems.push(
      `${field} must be in a file of their own with --decimal, because amounts in JSON are in minor units.`,
    )
  const conversions = newConversions(column, converted, context).map((text) => `${place}: ${text}`)
  const value = fieldValue(field, schema, converted.text)
  const allHints = [...hints, ...quantityHints(column, value, context)]
  return { value, problems, hints: allHints, conversions, notationOptions }
}

/** Quotes a placeholder for a shell, if that is necessary. */
const shellWord = (text: string): string => (/^\w+$/.test(text) ? text : singleQuoted(text))

/** Returns the problem of a cell that contains a placeholder. */
export const placeholderProblem = (column: Column, placeholder: string): string =>
  `${columnName(column)} is ${placeholder} without quotes, which programs write for no value: --empty ${shellWord(placeholder)} reads it as empty; in quotes, it would be a text.`

/** Returns the currency in a record; empty if it has none. */
export const currencyIn = (columns: readonly Column[], cells: readonly CsvCell[]): string => {
  const column = columns.find(({ schema }) => schema.format === 'currency')
  return column ? textOfCell(cellOf(column, cells)) : ''
}

/** The cells of a record. */
interface RecordCells {
  readonly cells: readonly CsvCell[]
  readonly line: number
  /** The line of each cell, if the record was merged from several. */
  readonly lines?: readonly number[]
}

/** A cell with its place: `line 2 of invoices.csv, column "Bis": period_end "31.10.2025"`. */
const placedCell = (column: Column, cell: string, line: number, context: CellContext): string => {
  const { field } = column
  const { file } = context
  const header = headerOf(column, context)
  const place = header === columnName(column) ? '' : `, column "${header}"`
  return `line ${line} of ${file}${place}: ${field} "${cell}"`
}

/**
 * Reads the cells of a record in `columns`. `defaultCurrency` is the currency of a record without one. Throws CommandError for a
 * cell that another option reads.
 */
export const readCells = (
  columns: readonly Column[],
  { cells, line, lines }: RecordCells,
  context: CellContext,
  defaultCurrency = '',
): RecordValues => {
  const currency = currencyIn(columns, cells) || defaultCurrency
  const values = new Map<string, unknown>()
  const objects = new Map<string, Map<string, string>>()
  const problems: string[] = []
  const readings: Reading[] = []
  let periodEnd: string | undefined
  for (const column of columns) {
    const cell = cellOf(column, cells)
    const { field, key, source } = column
    if (typeof cell !== 'string') problems.push(placeholderProblem(column, cell.placeholder))
    else if (cell === '') continue
    else if (key === undefined) {
      const cellLine = ('indexes' in source ? lines?.[source.indexes[0]!] : undefined) ?? line
      if (field === 'period_end') periodEnd = placedCell(column, cell, cellLine, context)
      const cellValue = readCell(column, cell, { line: cellLine, currency }, context)
      values.set(field, cellValue.value)
      problems.push(...cellValue.problems)
      readings.push(cellValue)
    } else {
      const object = objects.get(field) ?? new Map<string, string>()
      objects.set(field, object.set(key, cell))
    }
  }
  for (const [field, object] of objects) values.set(field, Object.fromEntries(object))
  return {
    values: Object.fromEntries(values),
    problems,
    ...(periodEnd === undefined ? {} : { periodEnd }),
    ...joinReadings(readings),
  }
}
