import { allowsType, type Properties, type Schema } from '../../../../shared/contract/schema.ts'
import { closestName } from '../../../../shared/http/validation/suggest.ts'
import { singleQuoted } from '../../../../shared/text/shell.ts'
import { UsageError } from '../../../cli/command.ts'
import { type CsvCell, textOfCell } from './csv-file.ts'
import { isTable, type Table, tableOf } from './tables.ts'

/** Where a cell of a field comes from: a column of the file, by its index, or a constant that the user has given. */
type CellSource = { readonly index: number } | { readonly constant: string }

/** A field of a file's records. */
export interface Column {
  /** The field of the entity; of a list such as `line_items`, the field of its objects. */
  readonly field: string
  /** The key within the field, such as `plan` in `metadata.plan`. */
  readonly key?: string
  /** The list of parts that the field belongs to, if the same sheet has a row for each part. */
  readonly list?: string
  readonly schema: Schema
  readonly source: CellSource
}

/** What the user says about the columns of CSV files. */
export interface ColumnOptions {
  /** The fields of columns by header, or by table and header (`customers:Number`). Without a field, a column is left out. */
  readonly names: ReadonlyMap<string, readonly string[]>
  /** The values of fields that a file lacks, by field, or by table and field (`prices:type`). */
  readonly constants: ReadonlyMap<string, string>
  readonly leavesOutUnknown: boolean
}

/** The columns of a file. If its header is invalid: the problem, and the options that solve it. */
export interface Header {
  readonly table: Table
  readonly columns: readonly Column[]
  /** The names of all columns, also of those that are left out; of the second of two, `Email#2`. */
  readonly names: readonly string[]
  /** The number of cells of the header. */
  readonly width: number
  readonly problem?: string
  readonly remedies?: readonly string[]
}

/** Returns the cell of a column in a record. */
export const cellOf = ({ source }: Column, cells: readonly CsvCell[]): CsvCell =>
  'index' in source ? (cells[source.index] ?? '') : source.constant

/** Returns the column of a field, such as `name`, `metadata.plan` or `line_items.amount`; undefined if there is no such field. */
const columnOf = (name: string, properties: Properties, source: CellSource): Column | undefined => {
  if (Object.hasOwn(properties, name)) return { field: name, schema: properties[name]!, source }
  const [start = '', ...rest] = name.split('.')
  const schema = Object.hasOwn(properties, start) ? properties[start]! : undefined
  if (schema === undefined || rest.length === 0) return undefined
  const inner = rest.join('.')
  const parts = schema.items?.properties
  if (parts && Object.hasOwn(parts, inner))
    return { field: inner, list: start, schema: parts[inner]!, source }
  return allowsType(schema, 'object') ? { field: start, key: inner, schema, source } : undefined
}

/** Returns the name of a column's field as in a header. */
export const nameOfColumn = ({ field, key, list }: Column): string =>
  [list, field, key].filter((part) => part !== undefined).join('.')

/** Returns the field whose name is most similar to that of an unknown column; undefined if none is. */
const similarTo = (
  header: string,
  properties: Properties,
  taken: ReadonlySet<string>,
): string | undefined => {
  const [start = '', ...rest] = header.split('.')
  const free = Object.keys(properties).filter((name) => !taken.has(name))
  const near = closestName(header, free)
  if (near || rest.length === 0) return near
  const object = closestName(start, free)
  if (object === undefined) return undefined
  const parts = properties[object]?.items?.properties
  if (!parts) return allowsType(properties[object]!, 'object') ? [object, ...rest].join('.') : undefined
  const freeParts = Object.keys(parts).filter((name) => !taken.has(`${object}.${name}`))
  const part = closestName(rest.join('.'), freeParts)
  return part && `${object}.${part}`
}

/** Quotes a text for a shell, in double quotes unless a shell would change it there. */
const shellQuoted = (text: string): string => (/[$`"\\!]/.test(text) ? singleQuoted(text) : `"${text}"`)

/** Returns the headers of columns, each with its number if an earlier column has the same: `Email`, `Email#2`. */
const distinctHeaders = (cells: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  return cells.map((cell) => {
    const count = (counts.get(cell) ?? 0) + 1
    counts.set(cell, count)
    return count === 1 ? cell : `${cell}#${count}`
  })
}

interface Unknown {
  readonly header: string
  /** The field that the user has given for it, if any. */
  readonly given: string | undefined
}

const MAX_SHOWN = 10

const unknownProblem = (file: string, unknown: readonly Unknown[], header: Header): Header => {
  const { table, columns } = header
  const { properties, name: prefix } = table
  const taken = new Set(columns.map(nameOfColumn))
  const shown: string[] = []
  const remedies: string[] = []
  for (const { header: column, given } of unknown.slice(0, MAX_SHOWN)) {
    const near = similarTo(given ?? column, properties, taken)
    const name = given === undefined ? `"${column}"` : `"${column}" as "${given}"`
    shown.push(near === undefined ? name : `${name} (did you mean ${near}?)`)
    if (near === undefined) continue
    taken.add(near)
    remedies.push(`--map ${shellQuoted(`${prefix}:${column}=${near}`)}`)
  }
  const more = unknown.length - shown.length
  if (more > 0) shown.push(`and ${more} more`)
  const are = unknown.length === 1 ? 'is not a field' : 'are not fields'
  const problem = `in "${file}", ${shown.join(', ')} ${are} (${Object.keys(properties).join(', ')})`
  const isAnyLeft = remedies.length < unknown.length
  return { ...header, problem, remedies: isAnyLeft ? [...remedies, LEAVE_OUT] : remedies }
}

/** The option that leaves out every unknown column. */
const LEAVE_OUT = '--leave-out REST'

/** Splits the name of a column or a field from that of the resource before it, such as `prices:type`. */
const splitAtResource = (text: string): { readonly resource?: string; readonly name: string } => {
  const [, resource, name = ''] = /^(?:([^:]*):)?(.*)$/s.exec(text)!
  return resource === undefined ? { name } : { resource, name }
}

/** Reads the header of a file. Finds unknown columns, with which the service would refuse every row. */
export const headerOf = (file: string, cells: readonly CsvCell[], options: ColumnOptions): Header => {
  const { names, constants, leavesOutUnknown } = options
  const table = tableOf(file)
  const { name: prefix, properties } = table
  const headers = distinctHeaders(cells.map(textOfCell))
  const columns: Column[] = []
  const unknown: Unknown[] = []
  const headersByField = new Map<string, string>()
  let twice: string | undefined
  for (const [index, header] of headers.entries()) {
    const given = names.get(`${prefix}:${header}`) ?? names.get(header)
    const isRepeated = given === undefined && header !== textOfCell(cells[index])
    for (const name of given ?? [isRepeated ? textOfCell(cells[index]) : header]) {
      if (name === '') continue
      const column = columnOf(name, properties, { index })
      if (!column && leavesOutUnknown && given === undefined) continue
      if (!column) unknown.push({ header, given: given === undefined ? undefined : name })
      else if (headersByField.has(name))
        twice ??= `"${headersByField.get(name)}" and "${textOfCell(cells[index])}" are both ${name}`
      else {
        headersByField.set(name, header)
        columns.push(column)
      }
    }
  }
  for (const [key, constant] of constants) {
    const { resource: only, name } = splitAtResource(key)
    if (only !== undefined && only !== prefix) continue
    const column = columnOf(name, properties, { constant })
    if (!column && only !== undefined) throw new UsageError(`--set ${key}: ${prefix} have no field ${name}`)
    if (headersByField.has(name))
      throw new UsageError(`--set ${key}: "${file}" has the column "${headersByField.get(name)}" for it`)
    if (column) columns.push(column)
  }
  const header = { table, columns, names: headers, width: cells.length }
  if (twice !== undefined) {
    const problem = `in "${file}", the columns ${twice}`
    return { ...header, problem }
  }
  return unknown.length > 0 ? unknownProblem(file, unknown, header) : header
}

/** Throws UsageError with the problems of all headers, and the options that solve them. */
export const requireFields = (headers: readonly Header[]): void => {
  const problems: string[] = []
  for (const { problem } of headers) if (problem !== undefined) problems.push(problem)
  const [wrong] = headers.filter(({ problem }) => problem !== undefined)
  if (!wrong) return
  const remedies = [...new Set(headers.flatMap(({ remedies = [] }) => remedies))]
  // The last option concerns all files.
  const ordered = [
    ...remedies.filter((each) => each !== LEAVE_OUT),
    ...remedies.filter((each) => each === LEAVE_OUT),
  ]
  const advice =
    ordered.length > 0
      ? `. --map "COLUMN=FIELD" names the field of a column. These options take the similar fields and leave out all other columns: ${ordered.join(' ')}`
      : `; --map "${wrong.table.name}:COLUMN=FIELD" names another field, and the second of two columns is "COLUMN#2"`
  throw new UsageError(`${problems.join('; ')}${advice}`)
}

/**
 * Throws UsageError for an option that concerns no column and no field of the files: a mistyped one would leave out a column
 * without a word. An option that names the resource of other files is for another command.
 */
export const requireUse = ({ names, constants }: ColumnOptions, headers: readonly Header[]): void => {
  // An empty file has no header.
  if (headers.some(({ width }) => width === 0)) return
  const isForOthers = (resource: string | undefined): boolean =>
    resource !== undefined && isTable(resource) && headers.every(({ table }) => table.name !== resource)
  for (const key of names.keys()) {
    const isUsed = headers.some(
      ({ table, names: columns }) =>
        columns.includes(key) || columns.some((column) => `${table.name}:${column}` === key),
    )
    const { resource, name } = splitAtResource(key)
    if (!isUsed && !isForOthers(resource))
      throw new UsageError(`--map "${key}=…": no file has a column "${isTable(resource ?? '') ? name : key}"`)
  }
  for (const key of constants.keys()) {
    const { resource, name } = splitAtResource(key)
    if (resource !== undefined && !isTable(resource))
      throw new UsageError(`--set ${key}: no file is of ${resource}`)
    const source = { constant: '' }
    const isUsed = headers.some(({ table }) => columnOf(name, table.properties, source) !== undefined)
    if (!isUsed && resource === undefined) throw new UsageError(`--set ${key}: no file has such a field`)
  }
}
