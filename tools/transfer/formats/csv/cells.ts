import { allowsType, isComposite, type Schema } from '../../../../shared/contract/schema.ts'
import { CommandError } from '../../../cli/command.ts'
import { exactJsonIn, exactNumber } from '../../exact-json.ts'
import type { Reading } from '../../row.ts'
import { type Column, cellOf, nameOfColumn } from './columns.ts'
import { type CsvCell, type CsvRecord, textOfCell } from './csv-file.ts'
import { type Notation, readCell } from './notation.ts'

/** Returns whether a field contains ids: that of the row or of others. */
const hasIds = (name: string, { component, items }: Schema): boolean =>
  name === 'id' || name.endsWith('_id') || component === 'EntityId' || items?.component === 'EntityId'

/** Returns a list of ids. The cell contains a list as JSON, or ids separated by spaces or semicolons. */
const idsIn = (cell: string): unknown[] => {
  const list = exactJsonIn(cell)
  return Array.isArray(list) ? list : cell.split(/[\s;]+/).filter(Boolean)
}

const INTEGER = /^-?(0|[1-9]\d*)$/
/** An integer as programs write it that know no integers beside empty cells. */
const FLOAT_OF_INTEGER = /^(-?(?:0|[1-9]\d*))\.0+$/

/** Returns a cell as a value of its field's type; if it has another type, as a text, which the service refuses. */
const valueIn = (name: string, schema: Schema, cell: string): unknown => {
  if (allowsType(schema, 'string')) return cell
  // Spreadsheets write TRUE.
  if (allowsType(schema, 'boolean') && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
  if (allowsType(schema, 'array') && hasIds(name, schema)) return idsIn(cell)
  if (isComposite(schema)) return exactJsonIn(cell) ?? cell
  if (!allowsType(schema, 'integer')) return cell
  if (INTEGER.test(cell)) return exactNumber(cell)
  const [, integer] = FLOAT_OF_INTEGER.exec(cell) ?? []
  // An amount may be meant in the major unit.
  return integer !== undefined && schema.kind !== 'money' ? exactNumber(integer) : cell
}

/** A long number as Excel shortens it: the last digits are lost. */
const SCIENTIFIC = /(^|[\s;"[,])-?\d([.,]\d+)?E\+\d{2,}(?![^\s;"\],])/i
/** An integer to which a program has added a decimal, since another cell of the column is empty. */
const FLOAT = /(^|[\s;"[,])\d+\.0(?![^\s;"\],])/

/** Returns what is wrong with a cell of ids; undefined if nothing is. */
const idProblem = (name: string, cell: string): string | undefined => {
  if (SCIENTIFIC.test(cell))
    return `${name} must be an id with all its digits (got "${cell}", a number that a spreadsheet has shortened): format the column as text, enter the ids again and save the file.`
  if (FLOAT.test(cell))
    return `${name} must be an id as you use it (got "${cell}", a number to which a program such as pandas has added ".0"): read the column as text (in pandas, dtype=str) and save the file again.`
  return undefined
}

/** Returns how several cells were read, or a record and its parts. */
export const joinedReadings = (all: readonly Reading[]): Required<Reading> => ({
  hints: all.flatMap(({ hints = [] }) => hints),
  read: all.flatMap(({ read = [] }) => read),
  readWith: [...new Set(all.flatMap(({ readWith = [] }) => readWith))],
})

/** The fields of a record. */
export interface Cells extends Reading {
  /** The values by field, without those of empty cells. */
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly string[]
}

/** The file that a record is in. */
export interface CellContext {
  readonly file: string
  readonly notation: Notation
  /** The fields of which a cell has been shown. */
  readonly shown: Set<string>
  /** The options of which the user has been told, whatever the file. */
  readonly toldOnce: Set<string>
}

interface CellValue extends Reading {
  readonly value: unknown
  readonly problems: readonly string[]
}

/** Converts a cell that is not empty. Throws CommandError for a date in which the day stands where the month should. */
const readValue = (
  column: Column,
  cell: string,
  { currency, line }: { readonly currency: string; readonly line: number },
  { file, notation, shown, toldOnce }: CellContext,
): CellValue => {
  const { field: name, schema } = column
  const found = readCell({ name, schema, cell, currency }, notation)
  const where = `line ${line} of ${file}:`
  if (found.isSwapped)
    throw new CommandError(
      `${where} ${found.problem} Nothing is recorded, since other dates could be misread without an error`,
    )
  const problems = found.problem === undefined ? [] : [found.problem]
  const wrongId = hasIds(name, schema) ? idProblem(name, cell) : undefined
  if (wrongId !== undefined) problems.push(wrongId)
  if (schema.items?.properties && notation.decimal !== undefined)
    problems.push(
      `${name} must be in a file of their own with --decimal, since amounts in JSON are in minor units.`,
    )
  const read: string[] = []
  if (found.read && !shown.has(nameOfColumn(column))) {
    shown.add(nameOfColumn(column))
    read.push(`${where} ${found.read}`)
  }
  if (found.isTakenAsUtc && !toldOnce.has('zone')) {
    toldOnce.add('zone')
    read.push(`${where} days are UTC; --zone AREA/CITY reads them in a time zone`)
  }
  const { hints = [], readWith = [] } = found
  return { value: valueIn(name, schema, found.text), problems, hints, read, readWith }
}

/** Returns what is wrong with a cell that has a placeholder. */
export const placeholderProblem = (column: Column, placeholder: string): string =>
  `${nameOfColumn(column)} is ${placeholder} without quotes, which programs write for no value: --empty ${shellWord(placeholder)} reads it as empty (got "${placeholder}"; in quotes, it is a text).`

/** Quotes a placeholder for a shell where it must be. */
const shellWord = (text: string): string => (/^\w+$/.test(text) ? text : `'${text}'`)

/** Returns the currency in a record; empty if it has none. */
export const currencyIn = (columns: readonly Column[], cells: readonly CsvCell[]): string => {
  const column = columns.find(({ schema }) => schema.format === 'currency')
  return column ? textOfCell(cellOf(column, cells)) : ''
}

/**
 * Converts the cells of a record. An empty cell is an absent field. `currency` is that of a record without one. Throws
 * CommandError for a date in which the day stands where the month should.
 */
export const readCells = (
  columns: readonly Column[],
  { cells, line }: Pick<CsvRecord, 'cells' | 'line'>,
  context: CellContext,
  currency = '',
): Cells => {
  const place = { currency: currencyIn(columns, cells) || currency, line }
  const values = new Map<string, unknown>()
  const nested = new Map<string, Map<string, string>>()
  const problems: string[] = []
  const readings: Reading[] = []
  for (const column of columns) {
    const cell = cellOf(column, cells)
    const { field, key } = column
    if (typeof cell !== 'string') problems.push(placeholderProblem(column, cell.placeholder))
    else if (cell === '') continue
    else if (key !== undefined) {
      const inner = nested.get(field) ?? new Map<string, string>()
      nested.set(field, inner.set(key, cell))
    } else {
      const found = readValue(column, cell, place, context)
      values.set(field, found.value)
      problems.push(...found.problems)
      readings.push(found)
    }
  }
  for (const [field, inner] of nested) values.set(field, Object.fromEntries(inner))
  return { values: Object.fromEntries(values), problems, ...joinedReadings(readings) }
}
