import { basename } from 'node:path'
import type { Properties } from '../../../../shared/contract/schema.ts'
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
  /** If the rows are parts: the columns whose values are those of their entity. */
  readonly shared?: readonly string[]
}

/** The column of lines that names the subscription of their invoice. */
const SUBSCRIPTION = 'subscription_id'

const tablesOf = (type: string): Table[] => {
  const { resource, body } = creates.get(type)!
  const properties = body?.properties ?? {}
  const tables: Table[] = [{ name: resource.plural, type, properties }]
  for (const [name, { items }] of Object.entries(properties)) {
    if (!items?.properties) continue
    const owner = `${type}_id`
    const shared = Object.hasOwn(properties, SUBSCRIPTION) ? [SUBSCRIPTION] : []
    const others = [owner, ...shared].map((column) => [column, { type: 'string', expects: '' }])
    tables.push({
      name,
      type,
      owner,
      shared,
      properties: { ...Object.fromEntries(others), ...items.properties },
    })
  }
  return tables
}

const tables: readonly Table[] = [...creates.keys()].flatMap(tablesOf)

/** Returns whether files can be named so: `customers`. */
export const isTable = (name: string): boolean => tables.some((table) => table.name === name)

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

/** Returns the list of parts that the entities of a type have, such as `line_items`; undefined if they have none. */
export const listOf = (type: string): string | undefined =>
  tables.find((table) => table.type === type && table.owner !== undefined)?.name
