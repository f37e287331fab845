import { allows, isComposite, type Schema } from '../../shared/contract/schema.ts'
import type { CsvRecord } from './csv-file.ts'
import type { Column, Table } from './csv-tables.ts'
import { jsonIn } from './row.ts'

/** Returns whether a field contains ids: that of the row or of others. */
const hasIds = (name: string, { component, items }: Schema): boolean =>
  name === 'id' || name.endsWith('_id') || component === 'EntityId' || items?.component === 'EntityId'

/** Returns a list of ids as JSON. The cell contains JSON, or ids separated by spaces or semicolons. */
const idListOf = (cell: string): string =>
  Array.isArray(jsonIn(cell)) ? cell : JSON.stringify(cell.split(/[\s;]+/).filter(Boolean))

/** Returns a cell as JSON of its field's type; if it has another type, as a string, which the service refuses. */
const jsonOf = (name: string, schema: Schema | undefined, cell: string): string => {
  if (!schema || allows(schema, 'string')) return JSON.stringify(cell)
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

/** The fields of a record as JSON. */
interface Cells {
  /** The members of the JSON object, `"name":value`, without those of empty cells. */
  readonly members: readonly string[]
  /** The reason if the record cannot be sent. */
  readonly problem?: string
}

/** Converts the cells of a record. An empty cell is an absent field. */
export const readCells = ({ cells }: CsvRecord, { properties }: Table, columns: readonly Column[]): Cells => {
  if (cells.length !== columns.length) {
    const problem = `The record must have ${columns.length} cells, as many as the header (got ${cells.length}).`
    return { members: [], problem }
  }
  const members: string[] = []
  const nested = new Map<string, string[]>()
  const problems: string[] = []
  for (const [index, { name, key }] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '' || name === '') continue
    const schema = properties[name]
    if (hasIds(name, schema ?? {}) && SCIENTIFIC.test(cell))
      problems.push(
        `${name} must be an id with all its digits (got "${cell}", a number that a spreadsheet has shortened): format the column as text, enter the ids again and save the file.`,
      )
    if (key === undefined) members.push(`${JSON.stringify(name)}:${jsonOf(name, schema, cell)}`)
    else nested.set(name, [...(nested.get(name) ?? []), `${JSON.stringify(key)}:${JSON.stringify(cell)}`])
  }
  for (const [name, inner] of nested) members.push(`${JSON.stringify(name)}:{${inner.join()}}`)
  return problems.length > 0 ? { members, problem: problems.join(' ') } : { members }
}
