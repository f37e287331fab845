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

/** The entities that a dry run has met, by the service's ids. Reads each from the target once. */
export class KnownEntities {
  readonly #target: Target
  readonly #entries: DiskMap
  #subscriptions: Promise<void> | undefined

  constructor(target: Target, entries: DiskMap) {
    this.#target = target
    this.#entries = entries
  }

  /** Reads an entity from the target unless it is known. Throws TransientAnswer. */
  async read(id: string): Promise<KnownEntity> {
    const known = this.find(id)
    if (known) return known
    const fetched = await this.#fetch(id)
    // Another row may have created it meanwhile.
    const latest = this.find(id) ?? fetched
    this.set(id, latest)
    return latest
  }

  set(id: string, entity: KnownEntity): void {
    this.#entries.set(id, JSON.stringify(entity))
  }

  find(id: string): KnownEntity | undefined {
    const text = this.#entries.get(id)
    return text === undefined ? undefined : (JSON.parse(text) as KnownEntity)
  }

  /** Reads items for the store's check of references. */
  readonly readItems: ReadItems = async (app, ids) => {
    const all = await Promise.all(ids.map(async (id) => ({ id, ...(await this.read(id)) })))
    const unread = { sk: '', list: '', order: '', external_id: '' }
    const items = all.flatMap(({ id, state, data = {} }) =>
      state === 'absent' ? [] : [[id, { ...unread, pk: `${app}#${id}`, data }] as const],
    )
    return new Map(items)
  }

  async #get(path: string): Promise<Answer> {
    const answer = await this.#target.send('GET', path)
    if (answer.status !== 200 && answer.status !== 404) throw new TransientAnswer(answer)
    return answer
  }

  async #fetch(id: string): Promise<KnownEntity> {
    const path = retrievePaths.get(prefixOf(id))
    if (path) {
      const { status } = await this.#get(path.replace('{id}', id))
      return { state: status === 200 ? 'recorded' : 'absent' }
    }
    // The API cannot retrieve a subscription, so all of them are listed, once.
    this.#subscriptions ??= this.#listSubscriptions()
    try {
      await this.#subscriptions
    } catch (error) {
      this.#subscriptions = undefined
      throw error
    }
    return { state: 'absent' }
  }

  async #listSubscriptions(): Promise<void> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { text } = await this.#get(`/api/subscriptions?limit=100&cursor=${encodeURIComponent(cursor)}`)
      const { data, pagination } = JSON.parse(text)
      for (const { id, customer_id } of data.subscriptions)
        this.set(id, { state: 'recorded', data: { customer_id } })
      cursor = pagination.next_cursor
    }
  }
}
