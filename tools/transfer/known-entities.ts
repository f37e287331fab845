import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
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
  /** The references that are checked against those of others: a subscription's customer. */
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

const retrieves = new Map(
  catalogue.flatMap((endpoint) =>
    endpoint.operation === 'retrieve' ? [[endpoint.resource.prefix, endpoint] as const] : [],
  ),
)

/** The references that an answer shows. */
const referencesIn = ({ resource: { name, fields } }: Endpoint, { text }: Answer) => {
  const shown: Readonly<Record<string, unknown>> = JSON.parse(text).data[name]
  return Object.fromEntries(Object.entries(shown).filter(([key]) => fields[key]?.reference))
}

/** The entities that a dry run has met, by the service's ids. */
export interface KnownEntities {
  find(id: string): KnownEntity | undefined
  set(id: string, entity: KnownEntity): void
  /** Reads an entity from the target unless it is known. Throws TransientAnswer. */
  read(id: string): Promise<KnownEntity>
  /** Reads items for the store's check of references. */
  readonly readItems: ReadItems
}

/** Reads an entity from the target. Throws TransientAnswer. */
const fetched = async (target: Target, id: string): Promise<KnownEntity> => {
  const endpoint = retrieves.get(id.slice(0, id.indexOf('_')))!
  const answer = await target.send('GET', endpoint.path.replace('{id}', id))
  if (answer.status === 404) return { state: 'absent' }
  if (answer.status !== 200) throw new TransientAnswer(answer)
  return { state: 'recorded', data: referencesIn(endpoint, answer) }
}

/** Keeps what is known in `entries`, and reads each entity from the target once. */
export const knownEntities = (target: Target, entries: DiskMap): KnownEntities => {
  const find: KnownEntities['find'] = (id) => JSON.parse(entries.get(id) ?? 'null') ?? undefined
  const set: KnownEntities['set'] = (id, entity) => entries.set(id, JSON.stringify(entity))
  const read: KnownEntities['read'] = async (id) => {
    const known = find(id)
    if (known) return known
    const answered = await fetched(target, id)
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
