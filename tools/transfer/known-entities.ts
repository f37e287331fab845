import { createHash } from 'node:crypto'
import { BillingApiError } from '../../client/error.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { placeholdersOf } from '../../shared/contract/field.ts'
import type { ReadItems } from '../../shared/store/references.ts'
import type { DiskMap } from './disk-map.ts'
import { entityIn, type Service } from './service.ts'

/** The state of an entity in a dry run. */
export interface KnownEntity {
  /** `recorded` in the service, or `new`: a run would have created it by now. */
  readonly state: 'absent' | 'recorded' | 'new'
  /** The client's id of an entity that exists. */
  readonly externalId?: string
  /** For an entity that a run would have created or updated by now, the hash of its content. */
  readonly hash?: string
  /** For a recorded entity, the hash of the fields in responses. */
  readonly shown?: string
  /** Whether a customer is visibly anonymised. */
  readonly isErased?: boolean | undefined
  /** The references that are checked against those of others: a subscription's customer. */
  readonly data?: Readonly<Record<string, unknown>>
}

const retrieves = new Map(
  catalogue.flatMap((endpoint) =>
    endpoint.operation === 'retrieve' ? [[endpoint.resource.prefix, endpoint] as const] : [],
  ),
)

/** The entities seen by a dry run, by the service's ids. */
export interface KnownEntities {
  find(id: string): KnownEntity | undefined
  set(id: string, entity: KnownEntity): void
  /** Reads an entity from the service unless it is known. Rejects with BillingApiError. */
  read(id: string): Promise<KnownEntity>
  /** Reads items for the store's check of references. */
  readonly readItems: ReadItems
}

const sortKeys = (_key: string, value: unknown): unknown =>
  Object(value) === value && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Returns a text that is equal for equal content, whatever the order of its keys. */
export const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content, sortKeys)).digest('base64url')

/** Reads an entity from the service. */
const fetched = async ({ get }: Service, id: string): Promise<KnownEntity> => {
  const { path, resource } = retrieves.get(id.slice(0, id.indexOf('_')))!
  try {
    const found = entityIn(await get(`${path.replace('{id}', id)}?include=external_id`), resource.name)
    // The service also finds an entity that a client has given this id.
    if (found.id !== id) return { state: 'absent' }
    const { id: _, external_id, ...shown } = found
    const references = Object.entries(shown).filter(([name]) => resource.fields[name]?.reference)
    const data = Object.fromEntries(references)
    const placeholders = Object.entries(placeholdersOf(resource.fields)).filter(([name]) => name in shown)
    return {
      state: 'recorded',
      externalId: String(external_id),
      data,
      shown: hashOf(shown),
      isErased: placeholders.length > 0 && placeholders.every(([name, value]) => shown[name] === value),
    }
  } catch (error) {
    if (error instanceof BillingApiError && error.status === 404) return { state: 'absent' }
    throw error
  }
}

/** Keeps known entities in `entries`, and reads each one from the service once. */
export const knownEntities = (service: Service, entries: DiskMap): KnownEntities => {
  const find: KnownEntities['find'] = (id) => JSON.parse(entries.get(id) ?? 'null') ?? undefined
  const set: KnownEntities['set'] = (id, entity) => entries.set(id, JSON.stringify(entity))
  const read: KnownEntities['read'] = async (id) => {
    const known = find(id)
    if (known) return known
    const response = await fetched(service, id)
    // Another row may have created it meanwhile.
    const latest = find(id) ?? response
    set(id, latest)
    return latest
  }
  const readItems: ReadItems = async (app, ids) => {
    const all = await Promise.all(ids.map(async (id) => ({ id, ...(await read(id)) })))
    const unread = { sk: '', list: '', order: '' }
    const items = all.flatMap(({ id, state, externalId = '', data = {} }) =>
      state === 'absent'
        ? []
        : [[id, { ...unread, external_id: externalId, pk: `${app}#${id}`, data }] as const],
    )
    return new Map(items)
  }
  return { find, set, read, readItems }
}
