import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Field, Fields } from '../../../shared/contract/field.ts'
import { dateSchema } from '../../../shared/contract/fields.ts'
import type { Entity, Resource } from '../../../shared/contract/resource.ts'
import type { Values } from '../../../shared/contract/schema.ts'
import { lineItemIdFor } from '../../../shared/ids.ts'
import { isAnonymised } from '../../../shared/store/entities.ts'
import { entityOf, type Item } from '../../../shared/store/items.ts'
import { readItems } from '../../../shared/store/read.ts'
import { retryWhileBusy } from '../../applications/retry.ts'
import type { ShowProgress } from '../../cli/progress.ts'
import { requireKnownItem } from '../../operator/entity-items.ts'
import { listPages } from '../../operator/list-pages.ts'
import { createEndpoints } from '../create-endpoints.ts'
import { dateText } from '../date-text.ts'
import { type ExportedFile, openExportFile } from './export-files.ts'
import type { ClientIds, References } from './export-references.ts'

/** The entity, or the line item in it, whose fields are converted. */
interface Owner {
  readonly id: string
  readonly clientIds: ClientIds
}

/** The inverse of `toStored`. */
const toSent = (field: Field, stored: unknown, { id, clientIds }: Owner): unknown => {
  if (stored === null) return null
  if (field.reference)
    return Array.isArray(stored)
      ? stored.map((serverId: string) => clientIds.get(serverId))
      : clientIds.get(stored as string)
  const { items } = field
  if (items)
    return (stored as Values[]).map((item, index) =>
      createBody(items.fields, item, { id: lineItemIdFor(id, index), clientIds }),
    )
  return field.request.format === dateSchema.format ? dateText(stored as number) : stored
}

/** The inverse of `storedContent`. Leaves out default values, such as generated ids of line items, which differ between applications. */
const createBody = (fields: Fields, content: Values, owner: Owner): Values => {
  const body: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const stored = content[name]
    const isDefault = !field.required && isDeepStrictEqual(field.toStored(null, owner.id), stored)
    if (!isDefault) body[name] = toSent(field, stored, owner)
  }
  return body
}

export interface ExportContext {
  readonly app: string
  /** The customer whose record is exported; undefined if everything is exported. */
  readonly customer: Entity | undefined
  readonly references: References
  readonly folder: string
  readonly show: ShowProgress
}

export const isChildOf = ({ fields }: Resource, parent: Resource): boolean =>
  Object.values(fields).some(({ reference }) => reference?.isParent && reference.target === parent.name)

/** Entities of other resources are derived. */
export const isCreated = ({ name }: Resource): boolean => createEndpoints.has(name)

/** A derived entity is not imported, so its hidden fields are not needed. */
const exportedFields = (resource: Resource): Fields => {
  if (isCreated(resource)) return resource.fields
  return Object.fromEntries(Object.entries(resource.fields).filter(([, { visible }]) => visible))
}

/** As its create recorded it; undefined if no update has changed it. */
const originalEntity = (resource: Resource, item: Item): Entity | undefined => {
  const { first_data: data, first_extra: extra = {} } = item
  return data && entityOf(resource, { ...item, data, extra })
}

const exportedLines = async (
  resource: Resource,
  items: readonly Item[],
  { references, customer }: ExportContext,
): Promise<string[]> => {
  const entities = items.map((item) => entityOf(resource, item))
  const clientIds = await references.clientIdsFor(entities)
  const fields = exportedFields(resource)
  const dataOf = ({ id, externalId, content }: Entity) => ({
    id: externalId,
    ...createBody(fields, content, { id, clientIds }),
  })
  return entities.map((entity, index) => {
    const item = items[index]!
    references.markExported(resource, entity.id)
    // Only the record of a customer contains earlier values.
    const original = customer && originalEntity(resource, item)
    return JSON.stringify({
      type: resource.name,
      data: dataOf(entity),
      ...(isAnonymised(entity, item) ? { erased: true } : {}),
      ...(original ? { originally: dataOf(original) } : {}),
    })
  })
}

/** With strong consistency, in the order of their ids. Throws Error for an item that another version wrote. */
const readListedItems = async (app: string, resource: Resource, ids: readonly string[]): Promise<Item[]> => {
  const items = await retryWhileBusy(() => readItems(app, ids))
  return ids.map((id) => {
    const item = items.get(id)
    if (!item)
      throw new Error(
        `"${id.slice(0, 8)}…" is in the list of ${resource.plural}, but the table does not contain it`,
      )
    requireKnownItem(resource, item)
    return item
  })
}

const PAGE = 100
/** The number of pages that are read concurrently, and that may wait to be written. */
const pageLimits = { concurrency: 4, highWaterMark: 4 }

/** All of them or, in the record of a customer, those that belong to it. */
export const exportResource = async (resource: Resource, context: ExportContext): Promise<ExportedFile> => {
  const { app, customer, references, folder, show } = context
  const file = await openExportFile(folder, `${resource.plural}.ndjson`, resource.name)
  const linesFor = async (ids: readonly string[]) =>
    exportedLines(resource, await readListedItems(app, resource, ids), context)
  // In the record of a customer, other entities are exported only because they are referenced.
  const isListed = !customer || isChildOf(resource, customer.resource)
  const pages = isListed ? listPages({ app, resource, parent: customer }, { limit: PAGE }) : []
  for await (const lines of Readable.from(pages).map(linesFor, pageLimits)) {
    await file.add(lines)
    show(`${file.count()} ${resource.plural} exported`)
  }
  const missing = references.missing(resource)
  for (let start = 0; start < missing.length; start += PAGE)
    await file.add(await linesFor(missing.slice(start, start + PAGE)))
  return file.complete()
}
