import { basename } from 'node:path'
import { allows, type Properties } from '../../../../shared/contract/schema.ts'
import { closestName } from '../../../../shared/http/suggest.ts'
import { UsageError } from '../../../cli/command.ts'
import { creates } from '../../creates.ts'

/** A kind of CSV file: its rows are entities of a resource, or parts of them such as the lines of invoices. */
export interface Table {
  /** The beginning of the file's name: `customers`, or `line_items`. */
  readonly name: string
  readonly type: string
  readonly properties: Properties
  /** If the rows are parts: the column with the client's id of their entity. */
  readonly owner?: string
}

const tables: readonly Table[] = [...creates.values()].flatMap(({ resource, body }) => {
  const properties = body?.properties ?? {}
  const owner = `${resource.name}_id`
  const lists = Object.entries(properties).filter(([, { items }]) => items?.properties)
  return [
    { name: resource.plural, type: resource.name, properties },
    ...lists.map(([name, { items }]) => ({
      name,
      type: resource.name,
      properties: { [owner]: { type: 'string', expects: '' }, ...items?.properties },
      owner,
    })),
  ]
})

/** Returns the table of a file by its name, such as `customers.csv` or `customers-2024.csv.gz`. Throws UsageError. */
export const tableOf = (file: string): Table => {
  const name = basename(file).toLowerCase()
  const found = tables.find(
    (table) => name.startsWith(table.name) && !/^[a-z]/.test(name.slice(table.name.length)),
  )
  if (found) return found
  const known = tables.map((table) => `${table.name}.csv`).join(', ')
  throw new UsageError(`a CSV file must be named after its resource: ${known} (got "${file}")`)
}

export interface Column {
  /** The field; empty if the column is left out. */
  readonly name: string
  /** The key within the field, such as `plan` in `metadata.plan`. */
  readonly key: string | undefined
}

/** The fields of columns by header, or by table and header (`customers:Number`). A column with an empty field is left out. */
export type ColumnNames = ReadonlyMap<string, string>

const columnOf = (header: string, properties: Properties): Column => {
  const [name = '', ...rest] = header.split('.')
  const isNested = rest.length > 0 && allows(properties[name] ?? {}, 'object')
  return isNested ? { name, key: rest.join('.') } : { name: header, key: undefined }
}

const shellQuoted = (text: string): string =>
  /[$`"\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`

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
  return object && allows(properties[object]!, 'object') ? [object, ...rest].join('.') : undefined
}

/** The columns of a file. If its header is invalid: the problem, and the options that solve it. */
export interface Header {
  readonly table: Table
  readonly columns: readonly Column[]
  readonly problem?: string
  readonly remedies?: readonly string[]
}

/** Reads the header of a file. Finds unknown columns, with which the service would refuse every row. */
export const headerOf = (file: string, cells: readonly string[], names: ColumnNames): Header => {
  const table = tableOf(file)
  const { name: prefix, properties } = table
  const meant = cells.map((cell) => names.get(`${prefix}:${cell}`) ?? names.get(cell) ?? cell)
  const columns = meant.map((field) => columnOf(field, properties))
  const fullNames = columns.map(({ name, key }) => (key === undefined ? name : `${name}.${key}`))
  const twice = fullNames.find((name, index) => name !== '' && fullNames.indexOf(name) !== index)
  if (twice !== undefined) {
    const both = cells.filter((_, index) => fullNames[index] === twice).map((cell) => `"${cell}"`)
    return { table, columns, problem: `in "${file}", the columns ${both.join(' and ')} are both ${twice}` }
  }
  const isKnown = ({ name }: Column) => name === '' || Object.hasOwn(properties, name)
  const unknown = [...cells.keys()].filter((index) => !isKnown(columns[index]!))
  if (unknown.length === 0) return { table, columns }
  const taken = new Set(columns.map(({ name }) => name))
  const found = unknown.map((index) => {
    const [cell, field] = [cells[index]!, meant[index]!]
    const name = cell === field ? `"${cell}"` : `"${cell}" as "${field}"`
    return { cell, name, near: similarTo(field, properties, taken) }
  })
  const shown = found.map(({ name, near }) => `${name}${near ? ` (did you mean ${near}?)` : ''}`)
  return {
    table,
    columns,
    problem: `in "${file}", ${shown.join(', ')} ${shown.length === 1 ? 'is not a field' : 'are not fields'} (${Object.keys(properties).join(', ')})`,
    remedies: found.map(({ cell, near = 'FIELD' }) => `--map ${shellQuoted(`${prefix}:${cell}=${near}`)}`),
  }
}

/** Throws UsageError with the problems of all headers. */
export const requireFields = (headers: readonly Header[]): void => {
  const problems = headers.flatMap(({ problem = [] }) => problem)
  if (problems.length === 0) return
  const remedies = headers.flatMap(({ remedies = [] }) => remedies)
  const advice =
    remedies.length > 0
      ? `. Name the field of each column, or leave it out with nothing after "=": ${remedies.join(' ')}`
      : '; --map "COLUMN=FIELD" names another field'
  throw new UsageError(`${problems.join('; ')}${advice}`)
}
