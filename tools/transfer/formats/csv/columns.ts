import { basename } from 'node:path'
import { allowsType, type Properties, type Schema } from '../../../../shared/contract/schema.ts'
import { UsageError } from '../../../cli/command.ts'
import { createEndpoints } from '../../create-endpoints.ts'
import type { CsvCell } from './csv-records.ts'

/** A type of CSV file: its rows are entities of a resource, or parts of such entities, such as the line items of invoices. */
export interface SheetType {
  /** The beginning of the file's name: `customers` or `line_items`. */
  readonly name: string
  readonly resource: string
  readonly properties: Properties
  /** If the rows are parts: the column with the client's id of their entity. */
  readonly owner?: string
  /** If the rows are parts: the columns with values of their entity, which are the same in all of its parts. */
  readonly shared?: readonly string[]
}

const textSchema: Schema = { type: 'string', expects: '' }

/** `name` is the field that contains the parts in the entities of a resource. */
const partsSheetType = (name: string, resource: string, parts: Properties, entity: Properties): SheetType => {
  const owner = `${resource}_id`
  const shared = ['subscription_id'].filter((field) => Object.hasOwn(entity, field))
  const entityProperties = Object.fromEntries([owner, ...shared].map((column) => [column, textSchema]))
  return { name, resource, owner, shared, properties: { ...entityProperties, ...parts } }
}

const sheetTypesOf = (name: string): SheetType[] => {
  const { resource, body } = createEndpoints.get(name)!
  const properties = body?.properties ?? {}
  const types: SheetType[] = [{ name: resource.plural, resource: name, properties }]
  for (const [list, { items }] of Object.entries(properties))
    if (items?.properties) types.push(partsSheetType(list, name, items.properties, properties))
  return types
}

const sheetTypes: readonly SheetType[] = [...createEndpoints.keys()].flatMap(sheetTypesOf)

export const isSheetName = (name: string): boolean => sheetTypes.some((type) => type.name === name)

/** Such as `customers.csv` or `customers-2024.csv.gz`. Throws UsageError for any other name. */
export const sheetTypeOf = (file: string): SheetType => {
  const name = basename(file).toLowerCase()
  const found = sheetTypes.find(
    (type) => name.startsWith(type.name) && !/^[a-z]/.test(name.slice(type.name.length)),
  )
  if (found) return found
  const names = sheetTypes.map((type) => `${type.name}.csv`).join(', ')
  throw new UsageError(`a CSV file must be named after its resource: ${names} (got "${file}")`)
}

/** Such as `line_items`; undefined if the entities have no parts. */
export const partsField = (resource: string): string | undefined =>
  sheetTypes.find((type) => type.resource === resource && type.owner !== undefined)?.name

/** Where the cells of a column come from: columns of the file, or a constant that the user has given. */
type CellSource =
  | {
      /** The name in the file, such as `First,Last` for several columns. */
      readonly header: string
      readonly indexes: readonly number[]
    }
  | { readonly constant: string }

/** A field of a file's records, and the source of its cells. */
export interface Column {
  /** As in a header: `name`, `metadata.plan` or `line_items.amount`. */
  readonly name: string
  /** The field of the entity or, with `list`, the field of the objects in that list. */
  readonly field: string
  /** The key within the field, such as `plan` in `metadata.plan`. */
  readonly key?: string
  /** The list of parts that the field belongs to, such as `line_items`, in a sheet with a row for each part. */
  readonly list?: string
  readonly schema: Schema
  readonly source: CellSource
}

/** The texts of several columns of the file, with a space between them. */
export const cellOf = ({ source }: Column, cells: readonly CsvCell[]): CsvCell => {
  if ('constant' in source) return source.constant
  const found = source.indexes.map((index) => cells[index] ?? '').filter((cell) => cell !== '')
  const placeholder = found.find((cell) => typeof cell !== 'string')
  return placeholder ?? found.join(' ')
}

/** The name of a column in its file; for a constant, the name of its field. */
export const headerOf = ({ name, source }: Column): string => ('header' in source ? source.header : name)

/** Undefined if there is no such field. */
export const columnFor = (name: string, properties: Properties, source: CellSource): Column | undefined => {
  if (Object.hasOwn(properties, name)) return { name, field: name, schema: properties[name]!, source }
  const [field = '', ...rest] = name.split('.')
  if (!Object.hasOwn(properties, field) || rest.length === 0) return undefined
  const schema = properties[field]!
  const inner = rest.join('.')
  const parts = schema.items?.properties
  if (parts && Object.hasOwn(parts, inner))
    return { name, field: inner, list: field, schema: parts[inner]!, source }
  return allowsType(schema, 'object') ? { name, field, key: inner, schema, source } : undefined
}

/** The column that contains a whole field, not a key of it or a field of parts. */
export const wholeColumn = (columns: readonly Column[], field: string): Column | undefined =>
  columns.find((column) => column.field === field && column.list === undefined && column.key === undefined)
