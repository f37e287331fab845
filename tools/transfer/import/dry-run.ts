import { createHash } from 'node:crypto'
import { BillingApiError } from '../../../client/error.ts'
import { includesOf, resourcesByName } from '../../../shared/catalogue.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { descriptiveFieldNames, erasurePlaceholders, storedContent } from '../../../shared/contract/field.ts'
import type { Include } from '../../../shared/contract/include.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import { isRecord, type Values } from '../../../shared/contract/schema.ts'
import { ApiError } from '../../../shared/errors.ts'
import { parseBody } from '../../../shared/http/body.ts'
import { errorResponse } from '../../../shared/http/responses.ts'
import { validContent } from '../../../shared/http/validate.ts'
import { serverIdFor } from '../../../shared/ids.ts'
import { ERASED, idConflictError, UNUSED_OR_SAME } from '../../../shared/store/entities.ts'
import { differences, type Item, packedContent } from '../../../shared/store/items.ts'
import { entityKey } from '../../../shared/store/keys.ts'
import { type ReadItems, type Resolved, resolveReferences } from '../../../shared/store/references.ts'
import type { Outcome } from '../counts.ts'
import { creates } from '../creates.ts'
import type { DiskMap } from '../disk-map.ts'
import type { Row, RowResult } from '../row.ts'
import type { Service } from './service.ts'

interface KnownEntity {
  /** `recorded`: in the service. `new`: a real run would have created it by now. */
  readonly state: 'absent' | 'recorded' | 'new'
  readonly externalId?: string
  /** The hash of the content that a real run would have created or updated by now. */
  readonly hash?: string
  /** The hash of what no row can change of an entity that a real run would have created by now. */
  readonly fixed?: string
  /** Whether a real run would have recorded the customer as erased. */
  readonly isErased?: boolean | undefined
  /** The content that responses show of a recorded entity, or the references that others are checked against. */
  readonly data?: Values
}

const sortKeys = (_key: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value

/** Returns a hash of content that does not depend on the order of keys. */
const contentHash = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content, sortKeys)).digest('base64url')

const byPrefix = new Map([...resourcesByName.values()].map((resource) => [resource.prefix, resource]))

const resourceOf = (id: string): Resource => byPrefix.get(id.slice(0, id.indexOf('_')))!

type HiddenInclude = Extract<Include, { readonly from: 'field' | 'reference' | 'listed' }>

/** Returns the includes that show hidden fields, by name. */
const hiddenIncludes = (resource: Resource): [string, HiddenInclude][] => {
  const found: [string, HiddenInclude][] = []
  for (const [name, include] of Object.entries(includesOf(resource))) {
    if (include.from === 'external_id' || include.from === 'children') continue
    const isHidden = include.from === 'listed' || !resource.fields[include.field]!.visible
    if (isHidden) found.push([name, include])
  }
  return found
}

const idsOf = (embedded: unknown): unknown =>
  Array.isArray(embedded) ? embedded.map(idsOf) : ((embedded as Values | null)?.id ?? null)

/** Returns the content of an entity, with the ids of what a response embeds. */
const contentIn = (resource: Resource, { ...shown }: Record<string, unknown>): Values => {
  for (const [name, include] of hiddenIncludes(resource)) {
    const { [name]: embedded } = shown
    if (include.from === 'listed')
      shown[include.list] = (shown[include.list] as Values[]).map(({ [name]: entity, ...item }) => ({
        ...item,
        [include.field]: idsOf(entity),
      }))
    if (include.from === 'reference') {
      delete shown[name]
      shown[include.field] = idsOf(embedded)
    }
  }
  return shown
}

const fetched = async (service: Service, id: string): Promise<KnownEntity> => {
  const resource = resourceOf(id)
  const includes = ['external_id', ...hiddenIncludes(resource).map(([name]) => name)]
  const found = await service.find(resource, id, includes)
  // The service also finds an entity whose client's id is this id.
  if (found?.id !== id) return { state: 'absent' }
  const { id: _, external_id, ...shown } = found
  return { state: 'recorded', externalId: String(external_id), data: contentIn(resource, shown) }
}

/** Returns an item with the attributes of a known entity that `resolveReferences` reads. */
const itemOf = (app: string, id: string, { externalId = '', data = {} }: KnownEntity): Item => ({
  pk: entityKey(app, id).pk,
  sk: '',
  list: '',
  order: '',
  external_id: externalId,
  ...packedContent(resourceOf(id), data),
})

/** Returns what a dry run knows of entities, by the service's ids. It is kept in `entries`. */
const knownEntities = (service: Service, entries: DiskMap) => {
  const find = (id: string): KnownEntity | undefined => JSON.parse(entries.get(id) ?? 'null') ?? undefined
  const set = (id: string, entity: KnownEntity): void => entries.set(id, JSON.stringify(entity))
  /** Returns what is known of an entity. Reads it from the service the first time. */
  const read = async (id: string): Promise<KnownEntity> => {
    const known = find(id)
    if (known) return known
    const response = await fetched(service, id)
    // Another row may have been processed meanwhile.
    const latest = find(id) ?? response
    set(id, latest)
    return latest
  }
  const readItems: ReadItems = async (app, ids) => {
    const all = await Promise.all(ids.map(async (id) => [id, await read(id)] as const))
    const existing = all.filter(([, { state }]) => state !== 'absent')
    return new Map(existing.map(([id, entity]) => [id, itemOf(app, id, entity)]))
  }
  return { find, set, read, readItems }
}

/** Parses and validates the body of a row as the service does. Throws ApiError. */
const validated = (endpoint: Endpoint, { body, isErased }: Row): Values =>
  validContent(endpoint, parseBody(body), isErased ? { erased: true } : {})

/** Returns the ids and fields of other entities that a create records, such as an invoice's subscription. */
const derivedBy = ({ resource }: Endpoint, { body, found }: Resolved): [string, Values][] => {
  const derived: [string, Values][] = []
  for (const [field, { reference }] of Object.entries(resource.fields)) {
    if (!reference?.startsEntity || found.has(field)) continue
    const { matching = '' } = reference
    derived.push([body[field] as string, { [matching]: body[matching] }])
  }
  return derived
}

/**
 * Returns whether a recorded customer may be erased: it has the values of an erased one, which a customer who is not erased may
 * have too.
 */
const mayBeErased = ({ fields }: Resource, data: Values): boolean => {
  const placeholders = Object.entries(erasurePlaceholders(fields))
  // Only customers have personal data.
  return placeholders.length > 0 && placeholders.every(([name, value]) => (data[name] ?? value) === value)
}

/**
 * Returns whether a row differs from a known entity in more than its `changeable` fields. `differing` names the fields that
 * differ from a recorded entity, and `fixed` is the hash of all other fields of the row.
 */
const changesMore = (
  known: KnownEntity,
  fixed: string,
  differing: readonly string[],
  changeable: readonly string[],
): boolean => {
  if (changeable.length === 0) return false
  if (known.state === 'recorded') return differing.some((name) => !changeable.includes(name))
  return known.fixed !== undefined && known.fixed !== fixed
}

/** Returns content without the fields of these names. */
const withoutNames = (content: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(content).filter(([name]) => !names.includes(name)))

/** Throws an error of the service's code as the client would. */
const asClientError = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error
  const { statusCode, body } = errorResponse(error, 'dry-run')
  throw new BillingApiError(error.message, { status: statusCode, errors: JSON.parse(body).errors })
}

/** A row, and what its create would store. */
interface Prediction {
  readonly row: Row
  readonly resource: Resource
  readonly id: string
  readonly externalId: string
  readonly content: Values
  /** The hash of the content. */
  readonly hash: string
  /** The hash of the fields that no later create can change. */
  readonly fixed: string
  /** The names of the fields that a create with `on_conflict=update` changes; none if it changes all. */
  readonly changeable: readonly string[]
}

const conflict = ({ resource, externalId, id }: Prediction, reason: string): ApiError =>
  idConflictError({ resource, externalId }, { id }, reason === ERASED ? 'unused' : UNUSED_OR_SAME, reason)

const OTHER_VALUES = 'created with other values'

/** Returns the outcome of a row whose id an earlier row of the import would have created. Throws ApiError. */
const outcomeAfterRow = (prediction: Prediction, known: KnownEntity): Outcome => {
  const { row, fixed, changeable } = prediction
  if (!row.updates) throw conflict(prediction, OTHER_VALUES)
  if (known.isErased) throw conflict(prediction, ERASED)
  if (changesMore(known, fixed, [], changeable)) throw conflict(prediction, OTHER_VALUES)
  return 'updated'
}

/** Returns the outcome of a row whose id is recorded, as far as responses show it. Throws ApiError. */
const outcomeAfterRecording = (prediction: Prediction, known: KnownEntity): Outcome => {
  const { row, resource, content, fixed, changeable } = prediction
  const { data = {}, hash } = known
  const differing = differences(resource, content, packedContent(resource, data)).filter(
    (name) => name in data,
  )
  // Responses do not show who is erased.
  if (mayBeErased(resource, data)) return 'unknown'
  const reason = `${OTHER_VALUES} of: ${differing.join(', ')}`
  if (row.isErased) throw conflict(prediction, reason)
  if (row.updates) {
    if (changesMore(known, fixed, differing, changeable)) throw conflict(prediction, reason)
    return hash === undefined && differing.length === 0 ? 'unchanged' : 'updated'
  }
  if (differing.length === 0) return 'unchanged'
  const mayHaveChanged =
    changeable.length === 0 ? () => resource.isMutable : (name: string) => changeable.includes(name)
  // The row may have the values with which the entity was created.
  if (differing.every(mayHaveChanged)) return 'unknown'
  throw conflict(prediction, reason)
}

const NOT_KNOWN = 'The outcome is not known before it is sent: it depends on what responses do not show.'

/**
 * Returns a service that sends nothing but GET requests, and responds as `service` would in a real run: with the service's own
 * validators, from what is recorded and what the rows so far would have recorded. It keeps its state in `entries`.
 */
export const dryRun = (service: Service, entries: DiskMap): Service => {
  const { appId: app } = service
  const entities = knownEntities(service, entries)

  const create = async (row: Row): Promise<RowResult> => {
    const endpoint = creates.get(row.type as string)!
    const { resource } = endpoint
    const { fields, prefix } = resource
    const body = validated(endpoint, row)
    const externalId = String(body.id)
    const changeable = descriptiveFieldNames(fields)
    const id = serverIdFor(app, prefix, externalId)
    // Its own id is looked up first, so that a later row that names this entity finds it.
    await entities.read(id)
    const resolved = await resolveReferences({ app, endpoint, body }, entities.readItems)
    const { isErased } = row
    const sent = storedContent(fields, resolved.body, id)
    const content = isErased ? { ...sent, ...erasurePlaceholders(fields) } : sent
    const hash = contentHash({ ...content, isErased })
    const fixed = contentHash(withoutNames(content, changeable))
    const known = entities.find(id)!
    const result = (outcome: Outcome, errors: string[] = []) => ({ outcome, server_id: id, errors })
    if (known.state === 'absent') {
      entities.set(id, { state: 'new', externalId, hash, fixed, isErased })
      for (const [other, data] of derivedBy(endpoint, resolved)) entities.set(other, { state: 'new', data })
      return result('created')
    }
    if (known.hash === hash) return result('unchanged')
    const prediction = { row, resource, id, externalId, content, hash, fixed, changeable }
    const outcome =
      known.state === 'new' ? outcomeAfterRow(prediction, known) : outcomeAfterRecording(prediction, known)
    if (row.updates && outcome !== 'unknown') entities.set(id, { ...known, hash })
    return result(outcome, outcome === 'unknown' ? [NOT_KNOWN] : [])
  }

  return {
    ...service,
    isRecorded: async (type, id) => {
      const { prefix } = creates.get(type)!.resource
      return (await entities.read(serverIdFor(app, prefix, id))).state !== 'absent'
    },
    create: (row) => create(row).catch(asClientError),
  }
}
