import { catalogue } from '../../shared/catalogue.ts'
import type { ReadItems } from '../../shared/store/references.ts'
import type { DiskMap } from './disk-map.ts'
import type { Answer, Target } from './target.ts'

/** What a dry run knows of an entity. */
export interface KnownEntity {
  /** `recorded` on the target, or `new`: a run would have created it by now. */
  readonly state: 'absent' | 'recorded' | 'new'
  /** Of a new entity, the hash of its content. */
  readonly hash?: string
  /** Of a new entity that can be anonymised, what a retrieve would return. */
  readonly shown?: Readonly<Record<string, unknown>>
  readonly isErased?: boolean
  /** Of a subscription, the fields that its references are checked against. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** The target did not give a final answer. */
export class TransientAnswer extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(answer.text)
    this.answer = answer
  }
}

const prefixOf = (id: string): string => id.slice(0, id.indexOf('_'))
const retrievePaths = new Map(
  catalogue.flatMap(({ operation, resource, path }) =>
    operation === 'retrieve' ? [[resource.prefix, path] as const] : [],
  ),
)

/** The entities that a dry run has met, by the service's ids. */
export interface KnownEntities {
  find(id: string): KnownEntity | undefined
  set(id: string, entity: KnownEntity): void
  /** Reads an entity from the target unless it is known. Throws TransientAnswer. */
  read(id: string): Promise<KnownEntity>
  /** Reads items for the store's check of references. */
  readonly readItems: ReadItems
}

/** Returns a function that reads an entity from the target. */
const fetching = (target: Target, set: KnownEntities['set']) => {
  const get = async (path: string): Promise<Answer> => {
    const answer = await target.send('GET', path)
    if (answer.status !== 200 && answer.status !== 404) throw new TransientAnswer(answer)
    return answer
  }
  const listSubscriptions = async (): Promise<void> => {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { text } = await get(`/api/subscriptions?limit=100&cursor=${encodeURIComponent(cursor)}`)
      const { data, pagination } = JSON.parse(text)
      for (const { id, customer_id } of data.subscriptions)
        set(id, { state: 'recorded', data: { customer_id } })
      cursor = pagination.next_cursor
    }
  }
  let subscriptions: Promise<void> | undefined
  return async (id: string): Promise<KnownEntity> => {
    const path = retrievePaths.get(prefixOf(id))
    if (path) {
      const { status } = await get(path.replace('{id}', id))
      return { state: status === 200 ? 'recorded' : 'absent' }
    }
    // The API cannot retrieve a subscription, so all of them are listed, once.
    subscriptions ??= listSubscriptions()
    try {
      await subscriptions
    } catch (error) {
      subscriptions = undefined
      throw error
    }
    return { state: 'absent' }
  }
}

/** Keeps what is known in `entries`, and reads each entity from the target once. */
export const knownEntities = (target: Target, entries: DiskMap): KnownEntities => {
  const find: KnownEntities['find'] = (id) => JSON.parse(entries.get(id) ?? 'null') ?? undefined
  const set: KnownEntities['set'] = (id, entity) => entries.set(id, JSON.stringify(entity))
  const fetched = fetching(target, set)
  const read: KnownEntities['read'] = async (id) => {
    const known = find(id)
    if (known) return known
    const answered = await fetched(id)
    // Another row may have created it meanwhile.
    const latest = find(id) ?? answered
    set(id, latest)
    return latest
  }
  const readItems: ReadItems = async (app, ids) => {
    const all = await Promise.all(ids.map(async (id) => ({ id, ...(await read(id)) })))
    const unread = { sk: '', list: '', order: '', external_id: '' }
    const items = all.flatMap(({ id, state, data = {} }) =>
      state === 'absent' ? [] : [[id, { ...unread, pk: `${app}#${id}`, data }] as const],
    )
    return new Map(items)
  }
  return { find, set, read, readItems }
}
