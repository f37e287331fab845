import { allowsType, type Properties, type Schema } from '../../../../shared/contract/schema.ts'
import type { CsvCell } from './csv-records.ts'

/** Where the cells of a column come from: columns of the file, by their indexes, or a constant that the user has given. */
type CellSource = { readonly indexes: readonly number[] } | { readonly constant: string }

/** A field of a file's records, and the source of its cells. */
export interface Column {
  /** The field of the entity or, with `list`, the field of the objects in that list. */
  readonly field: string
  /** The key within the field, such as `plan` in `metadata.plan`. */
  readonly key?: string
  /** The list of parts that the field belongs to, such as `line_items`, in a sheet with a row for each part. */
  readonly list?: string
  readonly schema: Schema
  readonly source: CellSource
}

/** Returns the cell of a column in a record: the texts of several columns of the file, with a space between them. */
export const cellOf = ({ source }: Column, cells: readonly CsvCell[]): CsvCell => {
  if ('constant' in source) return source.constant
  const found = source.indexes.map((index) => cells[index] ?? '').filter((cell) => cell !== '')
  const placeholder = found.find((cell) => typeof cell !== 'string')
  return placeholder ?? found.join(' ')
}

/** Returns the name of a column's field as in a header, such as `name`, `metadata.plan` or `line_items.amount`. */
export const columnName = ({ field, key, list }: Column): string =>
  [list, field, key].filter((part) => part !== undefined).join('.')

/** Returns the column for a name as in a header. Returns undefined if there is no such field. */
export const columnFor = (name: string, properties: Properties, source: CellSource): Column | undefined => {
  if (Object.hasOwn(properties, name)) return { field: name, schema: properties[name]!, source }
  const [field = '', ...rest] = name.split('.')
  if (!Object.hasOwn(properties, field) || rest.length === 0) return undefined
  const schema = properties[field]!
  const inner = rest.join('.')
  const parts = schema.items?.properties
  if (parts && Object.hasOwn(parts, inner))
    return { field: inner, list: field, schema: parts[inner]!, source }
  return allowsType(schema, 'object') ? { field, key: inner, schema, source } : undefined
}

/** Returns the column that contains a whole field, not a key of it or a field of parts. Returns undefined if there is none. */
export const wholeColumn = (columns: readonly Column[], field: string): Column | undefined =>
  columns.find((column) => column.field === field && column.list === undefined && column.key === undefined)
