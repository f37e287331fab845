import { shellWord } from '../../../../shared/text/shell.ts'
import { CommandError } from '../../../cli/command.ts'
import { fieldValue, refuseChangedId } from './cell-values.ts'
import { mapOption } from './column-options.ts'
import { type Column, cellOf, headerOf } from './columns.ts'
import { type ConvertedCell, convertCell, notationOptionsFor } from './convert-cell.ts'
import { type CsvCell, textOfCell } from './csv-records.ts'
import type { Sheet } from './sheet.ts'

/** Collects how the cells of a record and its parts are read. The members are those of `Reading`. */
export const newReading = () => ({
  hints: [] as string[],
  conversions: [] as string[],
  notationOptions: new Set<string>(),
})

/** A cell, and where it is: `line 2 of invoices.csv, column "Bis"`. */
export interface PlacedCell {
  readonly place: string
  readonly cell: string
}

/** The values of a record by field, and where they were. Fields whose cell is empty are absent. */
export interface RecordValues {
  readonly values: Readonly<Record<string, unknown>>
  /** Without those of keys within a field, such as `metadata.plan`. */
  readonly cells: Readonly<Record<string, PlacedCell>>
}

/** A record, and what is wrong with its cells, in sentences. */
export interface ReadRecord extends RecordValues {
  readonly problems: readonly string[]
}

interface RecordContext {
  readonly sheet: Sheet
  readonly reading: ReturnType<typeof newReading>
  /** That of a record without one; empty if it has none. */
  readonly currency: string
}

interface CellContext extends RecordContext {
  readonly place: string
}

const UTC_NOTICE = 'days are UTC; --zone AREA/CITY reads them in a time zone'

/** Adds the first conversion of each column, and the notice that days are UTC, unless they have been shown. */
const addConversions = (
  { name, field }: Column,
  cell: string,
  { result, isReadAsUtc }: ConvertedCell,
  { sheet, reading, place }: CellContext,
): void => {
  const { index, shown } = sheet
  if (result && !shown.has(`${index} ${name}`)) {
    shown.add(`${index} ${name}`)
    reading.conversions.push(`${place}: ${field} ${cell} → ${result()}`)
  }
  if (isReadAsUtc && !shown.has(UTC_NOTICE)) {
    shown.add(UTC_NOTICE)
    reading.conversions.push(`${place}: ${UTC_NOTICE}`)
  }
}

/** Throws CommandError for a cell that another option reads, and for an id that another program has changed. */
const readCell = (
  column: Column,
  cell: string,
  context: CellContext,
): { readonly value: unknown; readonly problems: readonly string[] } => {
  const { field, schema } = column
  const { sheet, reading, currency, place } = context
  const { notation, sheetType } = sheet
  const converted = convertCell({ name: field, schema, text: cell, currency }, notation)
  refuseChangedId(cell, { place, field, schema })
  const problems = converted.problem === undefined ? [] : [converted.problem]
  if (converted.stopsImport)
    throw new CommandError(
      `${place}: ${converted.problem} Nothing is recorded, because other ${schema.kind === 'money' ? 'amounts' : 'dates'} could be misread without an error`,
    )
  if (schema.items?.properties && (notation.decimal !== undefined || notation.ends === 'inclusive'))
    problems.push(
      `${field} must be in a file of their own with --decimal or --ends inclusive, because JSON has amounts in minor units and exclusive ends.`,
    )
  const value = fieldValue(field, schema, converted.text)
  reading.hints.push(...(converted.hints ?? []))
  if (field === 'quantity' && typeof value === 'string')
    reading.hints.push(
      `The amount of a line item is that of its whole quantity: ${mapOption(sheetType.name, headerOf(column))} leaves out the quantities of all line items.`,
    )
  addConversions(column, cell, converted, context)
  for (const option of notationOptionsFor(column, notation)) reading.notationOptions.add(option)
  return { value, problems }
}

export const placeholderProblem = (column: Column, placeholder: string): string =>
  `${column.name} is ${placeholder} without quotes, which programs write for no value: --empty ${shellWord(placeholder)} reads it as empty; in quotes, it would be a text.`

/** Empty if a record has none. */
export const currencyIn = (columns: readonly Column[], cells: readonly CsvCell[]): string => {
  const column = columns.find(({ schema }) => schema.format === 'currency')
  return column ? textOfCell(cellOf(column, cells)) : ''
}

interface RecordCells {
  readonly cells: readonly CsvCell[]
  readonly line: number
  /** The line of each cell, if the record was merged from several. */
  readonly lines?: readonly number[]
}

/** Reads the cells in `columns`. Throws CommandError as `readCell` does. */
export const readCells = (
  columns: readonly Column[],
  { cells, line, lines }: RecordCells,
  context: RecordContext,
): ReadRecord => {
  const { sheet } = context
  const currency = currencyIn(columns, cells) || context.currency
  const values = new Map<string, unknown>()
  const objects = new Map<string, Map<string, string>>()
  const problems: string[] = []
  const placedCells: Record<string, PlacedCell> = {}
  for (const column of columns) {
    const cell = cellOf(column, cells)
    const { field, key, source } = column
    if (typeof cell !== 'string') problems.push(placeholderProblem(column, cell.placeholder))
    else if (cell === '') continue
    else if (key === undefined) {
      const cellLine = ('indexes' in source ? lines?.[source.indexes[0]!] : undefined) ?? line
      const place = `line ${cellLine} of ${sheet.file}`
      const header = headerOf(column)
      const columnPlace = header === column.name ? place : `${place}, column "${header}"`
      placedCells[field] = { place: columnPlace, cell }
      const read = readCell(column, cell, { ...context, currency, place })
      values.set(field, read.value)
      problems.push(...read.problems)
    } else {
      const object = objects.get(field) ?? new Map<string, string>()
      objects.set(field, object.set(key, cell))
    }
  }
  for (const [field, object] of objects) values.set(field, Object.fromEntries(object))
  return { values: Object.fromEntries(values), cells: placedCells, problems }
}
