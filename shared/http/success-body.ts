import type { Call, WithIncludes, WorkResult } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { visibleContent } from '../contract/field.ts'
import type { EmbeddedEntity } from '../contract/include.ts'
import type { Entity } from '../contract/resource.ts'
import { ApiError } from '../errors.ts'
import {
  type CursorScope,
  encodeCursor,
  fittingPage,
  inReadingOrder,
  MAX_PAYLOAD_BYTES,
  type Page,
  type PageRequest,
  type Position,
  pageOfFirstItems,
} from '../pagination/page.ts'

type Presented = Record<string, unknown>

const presentEntity = ({ resource, id, content }: Entity): Presented =>
  visibleContent(resource.fields, content, { id })

/** `value` is an embedded entity, a list of them, or null. */
const presentEmbedded = (value: unknown, withExternalId: boolean): unknown => {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((item) => presentEmbedded(item, withExternalId))
  const { entity, embedded = {} } = value as EmbeddedEntity
  const presented = presentEntity(entity)
  for (const name in embedded) presented[name] = presentEmbedded(embedded[name], withExternalId)
  if (withExternalId) presented.external_id = entity.externalId
  return presented
}

/**
 * An entity as a response shows it: its visible fields and, beside them, its includes. If the client's own id
 * is among the includes, each embedded entity has it too.
 */
export const present = (
  { include: includes }: Pick<Endpoint, 'include'>,
  { entity, embedded = {}, changed }: WithIncludes,
): Presented => {
  const presented = presentEntity(entity)
  const withExternalId = 'external_id' in embedded
  const valuesOfObjects: { name: string; list: string; values: unknown[] }[] = []
  for (const [name, value] of Object.entries(embedded)) {
    const { embedsEntities, path } = includes[name]!
    const shown = embedsEntities ? presentEmbedded(value, withExternalId) : value
    if (path?.within === undefined) presented[name] = shown
    else valuesOfObjects.push({ name, list: path.within, values: shown as unknown[] })
  }
  // Last, because the lists must have been added before.
  for (const { name, list, values } of valuesOfObjects)
    for (const [index, object] of (presented[list] as Presented[]).entries()) object[name] = values[index]
  if (changed !== undefined) presented.changed = changed
  return presented
}

/** An upper bound for the bytes of headers, envelope and two cursors. */
const ENVELOPE_BYTES = 2_000
const MAX_ROWS_BYTES = MAX_PAYLOAD_BYTES - ENVELOPE_BYTES
/** A code unit of the body takes two bytes of Lambda's result if it is escaped, three if it is not ASCII. */
const MAX_CHARACTER_BYTES = 3

/** An entity of a response, and its JSON. */
interface Row {
  readonly item: WithIncludes
  readonly json: string
}

/** The bytes of a row in the payload, with its comma. */
const payloadBytes = ({ json }: Row): number => Buffer.byteLength(JSON.stringify(json)) + 1

/** An entity alone is too large for a response, because of an include that can be large. */
const tooLargeError = (
  { include: includes, resource }: Endpoint,
  { entity, embedded = {} }: WithIncludes,
): ApiError => {
  for (const name in embedded) {
    const excess = includes[name]!.excess?.(name, entity)
    if (!excess) continue
    const problem = `must not name ${name} for ${resource.name} ${entity.id}, whose ${excess.of} take more than 5 MiB`
    return new ApiError('invalid', `include ${problem}; ${excess.advice}.`)
  }
  throw new Error(
    `${resource.name} ${entity.id} is too large for a response, although it embeds nothing large`,
  )
}

/**
 * Throws ApiError `invalid` for an entity that alone is too large for a response. Measures only large ones,
 * since measuring costs as much as serialising.
 */
const requireFitting = (endpoint: Endpoint, row: Row): void => {
  const isLarge = row.json.length * MAX_CHARACTER_BYTES > MAX_ROWS_BYTES
  if (isLarge && payloadBytes(row) > MAX_ROWS_BYTES) throw tooLargeError(endpoint, row.item)
}

const rowOf = (endpoint: Endpoint, item: WithIncludes): Row => ({
  item,
  json: JSON.stringify(present(endpoint, item)),
})

/** The rows of a page, without the last ones if the others are certainly too large for a response. */
const rowsOf = (endpoint: Endpoint, request: PageRequest, page: Page<WithIncludes>): Page<Row> => {
  const rows: Row[] = []
  let characters = 0
  for (const item of inReadingOrder(request, page)) {
    if (characters > MAX_ROWS_BYTES) break
    const row = rowOf(endpoint, item)
    rows.push(row)
    characters += row.json.length
  }
  return pageOfFirstItems(request, page, rows)
}

/** The part of a page that Lambda can return. Throws ApiError `invalid` if one entity alone is too large. */
const payloadPage = (endpoint: Endpoint, request: PageRequest, whole: Page<WithIncludes>): Page<Row> => {
  const page = rowsOf(endpoint, request, whole)
  const characters = page.items.reduce((sum, { json }) => sum + json.length + 1, 0)
  if (characters * MAX_CHARACTER_BYTES <= MAX_ROWS_BYTES) return page
  const payload = fittingPage(request, page, payloadBytes, MAX_ROWS_BYTES)
  const [first] = payload.items
  if (first && payload.items.length === 1) requireFitting(endpoint, first)
  return payload
}

/** The parts of a call that its result is shown by. */
interface ListedCall extends Pick<Call, 'endpoint' | 'page'> {
  /** The scope of the list's cursors. */
  readonly scope: CursorScope
}

/**
 * The member `pagination` of a list: whether more entities follow, and the cursors of the neighbouring pages.
 */
const paginationOf = ({ scope, page: { feed } }: ListedCall, { items, hasPrevious, hasNext }: Page<Row>) => {
  const cursorFrom = (row: Row | undefined, direction: Position['direction']) => {
    if (!row) return null
    const { order, changed } = row.item.entity
    // Only the entries of a change feed can have `changed`: the index of a list by creation does not contain
    // it.
    return encodeCursor(scope, { direction, order: changed ?? order, feed })
  }
  return {
    has_more: hasNext,
    next_cursor: hasNext ? cursorFrom(items.at(-1), 'next') : null,
    previous_cursor: hasPrevious ? cursorFrom(items[0], 'previous') : null,
  }
}

export const isPage = (result: WorkResult): result is Page<WithIncludes> => 'items' in result

/**
 * The body of the response to a successful call. Throws ApiError `invalid` if an entity alone is too large.
 */
export const successBody = (listed: ListedCall, result: WorkResult): string => {
  const { endpoint, page: request } = listed
  const { resource } = endpoint
  if (!isPage(result)) {
    const row = rowOf(endpoint, result)
    requireFitting(endpoint, row)
    return `{"data":{"${resource.name}":${row.json}}}`
  }
  const page = payloadPage(endpoint, request, result)
  const items = page.items.map(({ json }) => json).join()
  const pagination = JSON.stringify(paginationOf(listed, page))
  return `{"data":{"${resource.plural}":[${items}]},"pagination":${pagination}}`
}
