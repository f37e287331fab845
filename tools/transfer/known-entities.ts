import { BillingApiError } from '../../client/error.ts'
import { catalogue } from '../../shared/catalogue.ts'
import type { ReadItems } from '../../shared/store/references.ts'
import type { DiskMap } from './disk-map.ts'
import { entityIn, type Service } from './service.ts'

/** What a dry run knows of an entity. */
export interface KnownEntity {
  /** `recorded` in the service, or `new`: a run would have created it by now. */
  readonly state: 'absent' | 'recorded' | 'new'
  /** The client's id of an entity that exists. */
  readonly externalId?: string
  /** Of a new entity, the hash of its content. */
  readonly hash?: string
  /** The references that are checked against those of others: a subscription's customer. */
  readonly data?: Readonly<Record<string, unknown>>
}

const retrieves = new Map(
  catalogue.flatMap((endpoint) =>
    endpoint.operation === 'retrieve' ? [[endpoint.resource.prefix, endpoint] as const] : [],
  ),
)

/** The entities that a dry run has met, by the service's ids. */
export interface KnownEntities {
  find(id: string): KnownEntity | undefined
  set(id: string, entity: KnownEntity): void
  /** Reads an entity from the service unless it is known. Rejects with BillingApiError. */
  read(id: string): Promise<KnownEntity>
  /** Reads items for the store's check of references. */
  readonly readItems: ReadItems
}

/** Reads an entity from the service. */
const fetched = async ({ get }: Service, id: string): Promise<KnownEntity> => {
  const { path, resource } = retrieves.get(id.slice(0, id.indexOf('_')))!
  try {
    const found = entityIn(await get(`${path.replace('{id}', id)}?include=external_id`), resource.name)
    // The service also finds an entity that a client has given this id.
    if (found.id !== id) return { state: 'absent' }
    const references = Object.entries(found).filter(([name]) => resource.fields[name]?.reference)
    const externalId = String(found.external_id)
    return { state: 'recorded', externalId, data: Object.fromEntries(references) }
  } catch (error) {
    if (error instanceof BillingApiError && error.status === 404) return { state: 'absent' }
    throw error
  }
}

/** Keeps what is known in `entries`, and reads each entity from the service once. */
export const knownEntities = (service: Service, entries: DiskMap): KnownEntities => {
  const find: KnownEntities['find'] = (id) => JSON.parse(entries.get(id) ?? 'null') ?? undefined
  const set: KnownEntities['set'] = (id, entity) => entries.set(id, JSON.stringify(entity))
  const read: KnownEntities['read'] = async (id) => {
    const known = find(id)
    if (known) return known
    const answered = await fetched(service, id)
    // Another row may have created it meanwhile.
    const latest = find(id) ?? answered
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
