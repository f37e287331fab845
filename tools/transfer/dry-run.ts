import { createHash } from 'node:crypto'
import { BillingApiError } from '../../client/error.ts'
import { resources } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { contentOf, type Fields, placeholdersOf } from '../../shared/contract/field.ts'
import { ApiError } from '../../shared/errors.ts'
import { readBody } from '../../shared/http/body.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { stateOf } from '../../shared/http/state.ts'
import { validate } from '../../shared/http/validate.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { ERASED, idConflict, UNUSED_OR_SAME } from '../../shared/store/entities.ts'
import type { Item } from '../../shared/store/items.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { type ReadItems, type Resolved, resolveReferences } from '../../shared/store/references.ts'
import type { Outcome } from './counts.ts'
import { creates } from './creates.ts'
import type { DiskMap } from './disk-map.ts'
import type { Row } from './row.ts'
import type { Reply, Service } from './service.ts'

type Body = Readonly<Record<string, unknown>>

const related = Object.fromEntries(resources)

/** What a dry run knows of an entity. */
interface KnownEntity {
  /** `recorded`: in the service. `new`: a real run would have created it by now. */
  readonly state: 'absent' | 'recorded' | 'new'
  /** The client's id, unless it is absent. */
  readonly externalId?: string
  /** The hash of the content that a real run would have created or updated by now. */
  readonly hash?: string
  /** The hash of the fields that the service returned for a recorded entity. */
  readonly shown?: string
  /** Whether a real run would have recorded the customer as erased. */
  readonly isErased?: boolean | undefined
  /** The references that others are checked against: a subscription's customer. */
  readonly data?: Readonly<Record<string, unknown>>
}

const sortKeys = (_key: string, value: unknown): unknown =>
  Object(value) === value && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Returns a hash of content that does not depend on the order of keys. */
const contentHash = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content, sortKeys)).digest('base64url')

const byPrefix = new Map([...resources.values()].map((resource) => [resource.prefix, resource]))

const fetched = async (service: Service, id: string): Promise<KnownEntity> => {
  const resource = byPrefix.get(id.slice(0, id.indexOf('_')))!
  const found = await service.find(resource, id, 'external_id')
  // The service also finds an entity whose client's id is this id.
  if (found?.id !== id) return { state: 'absent' }
  const { id: _, external_id, ...shown } = found
  const references = Object.entries(shown).filter(([name]) => resource.fields[name]?.reference)
  return {
    state: 'recorded',
    externalId: String(external_id),
    data: Object.fromEntries(references),
    shown: contentHash(shown),
  }
}

/** Returns an item with the attributes of a known entity that `resolveReferences` reads. */
const itemOf = (app: string, id: string, { externalId = '', data = {} }: KnownEntity): Item => ({
  pk: entityKey(app, id).pk,
  sk: '',
  list: '',
  order: '',
  external_id: externalId,
  data,
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
const validated = async (endpoint: Endpoint, appId: string, { body, isErased }: Row): Promise<Body> => {
  const queryStringParameters = isErased ? { erased: 'true' } : null
  const event = { body, headers: {}, queryStringParameters }
  const request = { event, internal: { app: { id: appId, cursorSecret: '' } } }
  for (const step of [readBody(endpoint), validate(endpoint, related)]) await step.before?.(request as never)
  return stateOf(request).call?.body as unknown as Body
}

const reply = ({ resource: { name } }: Endpoint, id: string, outcome: Outcome): Reply => ({
  data: { data: { [name]: { id } } },
  headers: { get: (header) => (header === 'create-outcome' ? outcome : null) },
})

/** Returns the ids and fields of other entities that a create records, such as an invoice's subscription. */
const derivedBy = ({ resource }: Endpoint, { body, found }: Resolved): [string, Body][] =>
  Object.entries(resource.fields).flatMap(([field, { reference }]): [string, Body][] => {
    if (!reference?.startsEntity || found.has(field)) return []
    const { matching = '' } = reference
    return [[body[field] as string, { [matching]: body[matching] }]]
  })

/** Returns the fields of an entity that responses contain. */
const visibleOf = (fields: Fields, content: Body): Body =>
  Object.fromEntries(Object.entries(content).filter(([name]) => fields[name]?.visible))

/**
 * Returns whether a recorded customer is erased. Only the service knows: it refuses a create for that reason. A create with a
 * recorded id writes nothing.
 */
const isErasedThere = async (service: Service, { updates: _, ...row }: Row): Promise<boolean> => {
  try {
    await service.create(row)
    return false
  } catch (error) {
    if (!(error instanceof BillingApiError && error.status === 409)) throw error
    return error.message.includes(ERASED)
  }
}

/** Throws an error of the service's code as the client would. */
const asClientError = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error
  const { statusCode, body } = errorResponse(error, 'dry-run')
  throw new BillingApiError(error.message, { status: statusCode, errors: JSON.parse(body).errors })
}

/**
 * Returns a service that records nothing and responds as `service` would in a real run: with the service's own validators, from
 * what is recorded and what the rows so far would have recorded. It keeps its state in `entries`.
 */
export const dryRun = (service: Service, entries: DiskMap): Service => {
  const { appId: app } = service
  const entities = knownEntities(service, entries)
  const create = async (row: Row): Promise<Reply> => {
    const endpoint = creates.get(row.type as string)!
    const { resource } = endpoint
    const { fields, prefix } = resource
    const body = await validated(endpoint, app, row)
    const externalId = String(body.id)
    const resolved = await resolveReferences({ app, endpoint, related, body }, entities.readItems)
    const id = serverIdFor(app, prefix, externalId)
    const { isErased } = row
    const content = contentOf(fields, resolved.body, id)
    const hash = contentHash(isErased ? { ...content, ...placeholdersOf(fields), isErased } : content)
    const known = await entities.read(id)
    const derived = derivedBy(endpoint, resolved)
    if (known.state === 'absent') {
      entities.set(id, { state: 'new', externalId, hash, isErased })
      for (const [other, data] of derived) entities.set(other, { state: 'new', data })
      return reply(endpoint, id, 'created')
    }
    if (known.hash === hash) return reply(endpoint, id, 'unchanged')
    if (row.updates) {
      const wasErased = known.state === 'recorded' ? await isErasedThere(service, row) : known.isErased
      if (wasErased) throw idConflict({ resource, externalId }, { id }, 'unused', ERASED)
      entities.set(id, { ...known, hash })
      const isSame = known.hash === undefined && known.shown === contentHash(visibleOf(fields, content))
      return reply(endpoint, id, isSame ? 'unchanged' : 'updated')
    }
    const named = [...resolved.found.values()].map((entity) => entities.find(entity.id))
    // A recorded entity cannot refer to a new one, so the content differs.
    if (known.state === 'new' || named.some((each) => each?.state === 'new'))
      throw idConflict({ resource, externalId }, { id }, UNUSED_OR_SAME, 'created with other values')
    // Only the service knows the content of the first create. A create with a recorded id writes nothing.
    return service.create(row)
  }
  return { ...service, create: (row) => create(row).catch(asClientError) }
}
