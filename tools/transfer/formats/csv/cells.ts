import { allows, isComposite, type Schema } from '../../../../shared/contract/schema.ts'
import { CommandError } from '../../../cli/command.ts'
import { jsonIn, type Reading } from '../../row.ts'
import type { CsvFile, CsvRecord } from './csv-file.ts'
import { type Cell, readCell } from './notation.ts'

/** Returns whether a field contains ids: that of the row or of others. */
const hasIds = (name: string, { component, items }: Schema): boolean =>
  name === 'id' || name.endsWith('_id') || component === 'EntityId' || items?.component === 'EntityId'

/** Returns a list of ids as JSON. The cell contains JSON, or ids separated by spaces or semicolons. */
const idListOf = (cell: string): string =>
  Array.isArray(jsonIn(cell)) ? cell : JSON.stringify(cell.split(/[\s;]+/).filter(Boolean))

/** Returns a cell as JSON of its field's type; if it has another type, as a string, which the service refuses. */
const jsonOf = (name: string, schema: Schema, cell: string): string => {
  if (allows(schema, 'string')) return JSON.stringify(cell)
  // Spreadsheets write TRUE.
  if (allows(schema, 'boolean') && /^(true|false)$/i.test(cell)) return cell.toLowerCase()
  if (allows(schema, 'array') && hasIds(name, schema)) return idListOf(cell)
  const isPlain =
    (allows(schema, 'integer') && /^-?(0|[1-9]\d*)$/.test(cell)) ||
    (isComposite(schema) && jsonIn(cell) !== undefined)
  return isPlain ? cell : JSON.stringify(cell)
}

/** A long number as Excel shortens it: the last digits are lost. */
const SCIENTIFIC = /(^|[\s;"[,])-?\d([.,]\d+)?E\+\d{2,}(?![^\s;"\],])/i

/** Returns how several cells were read, or a record and its parts. */
export const joined = (all: readonly Reading[]): Required<Reading> => ({
  hints: all.flatMap(({ hints = [] }) => hints),
  read: all.flatMap(({ read = [] }) => read),
  readWith: [...new Set(all.flatMap(({ readWith = [] }) => readWith))],
})

/** The fields of a record as JSON. */
export interface Cells extends Reading {
  /** The members of the JSON object, `"name":value`, without those of empty cells. */
  readonly members: readonly string[]
  readonly problem?: string
}

/** Returns the currency in a record; empty if it has none. */
export const currencyOf = ({ table, columns }: CsvFile, { cells }: CsvRecord): string =>
  cells[columns.findIndex(({ name }) => table.properties[name]?.format === 'currency')] ?? ''

const memberOf = (known: Cell, line: number, { file, notation, firstLines }: CsvFile) => {
  const { name, schema, cell } = known
  const { text, problem, isSwapped, read = [], ...reading } = readCell(known, notation)
  const where = `line ${line} of ${file}:`
  if (isSwapped)
    throw new CommandError(
      `${where} ${problem} Nothing is recorded, since other dates could be read and be wrong`,
    )
  const problems = [problem ?? []].flat()
  if (hasIds(name, schema) && SCIENTIFIC.test(cell))
    problems.push(
      `${name} must be an id with all its digits (got "${cell}", a number that a spreadsheet has shortened): format the column as text, enter the ids again and save the file.`,
    )
  if (schema.items?.properties && notation.decimal !== undefined)
    problems.push(
      `${name} must be in a file of their own with --decimal, since amounts in JSON are in minor units.`,
    )
  // Files are read several times.
  const isFirst = read.length > 0 && (firstLines.get(name) ?? line) === line
  if (isFirst) firstLines.set(name, line)
  const member = `${JSON.stringify(name)}:${jsonOf(name, schema, text)}`
  return { member, problems, ...reading, read: isFirst ? [`${where} ${read}`] : [] }
}

/**
 * Converts the cells of a record. An empty cell is an absent field. `currency` is that of a record without one. Throws
 * CommandError for a date in which the day stands where the month should.
 */
export const readCells = (record: CsvRecord, csv: CsvFile, currency = ''): Cells => {
  const { cells, line } = record
  const { columns, table } = csv
  if (cells.length !== columns.length) {
    const problem = `The record must have ${columns.length} cells, as many as the header (got ${cells.length}).`
    return { members: [], problem }
  }
  const unit = currencyOf(csv, record) || currency
  const found: ReturnType<typeof memberOf>[] = []
  const nested = new Map<string, string[]>()
  for (const [index, { name, key }] of columns.entries()) {
    const cell = cells[index]!
    if (cell === '' || name === '') continue
    const schema = table.properties[name]!
    if (key === undefined) found.push(memberOf({ name, schema, cell, currency: unit }, line, csv))
    else nested.set(name, [...(nested.get(name) ?? []), `${JSON.stringify(key)}:${JSON.stringify(cell)}`])
  }
  const members = found.map(({ member }) => member)
  for (const [name, inner] of nested) members.push(`${JSON.stringify(name)}:{${inner.join()}}`)
  const problems = found.flatMap((each) => each.problems)
  return { members, ...joined(found), ...(problems.length > 0 ? { problem: problems.join(' ') } : {}) }
}
