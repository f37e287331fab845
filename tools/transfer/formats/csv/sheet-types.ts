import { basename } from 'node:path'
import type { Properties, Schema } from '../../../../shared/contract/schema.ts'
import { UsageError } from '../../../cli/command.ts'
import { createEndpoints } from '../../create-endpoints.ts'

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

/** The column of line items that names the subscription of their invoice. */
const SUBSCRIPTION = 'subscription_id'

const textSchema: Schema = { type: 'string', expects: '' }

/** `name` is the field that contains the parts in the entities of a resource. */
const partsSheetType = (name: string, resource: string, parts: Properties, entity: Properties): SheetType => {
  const owner = `${resource}_id`
  const shared = Object.hasOwn(entity, SUBSCRIPTION) ? [SUBSCRIPTION] : []
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
