import { catalogue } from '../../shared/catalogue.ts'
import type { ReadItems } from '../../shared/store/references.ts'
import type { Ledger } from './ledger.ts'
import type { Answer, Target } from './target.ts'

/** What is known of an entity. */
export interface Known {
  /** `new` is what a dry run would have created by now. */
  readonly is: 'absent' | 'there' | 'new'
  /** Of a new entity, a hash of its content. */
  readonly content?: string
  /** Of a new entity that can be anonymised, what it shows. */
  readonly shown?: Readonly<Record<string, unknown>>
  readonly isErased?: boolean
  /** Of a subscription, the fields that references to it are checked by. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** An answer of the target that may be another one the next time. */
export class Passing extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(answer.text)
    this.answer = answer
  }
}

const prefixOf = (id: string): string => id.slice(0, id.indexOf('_'))
const retrieves = new Map(
  catalogue.flatMap(({ operation, resource, path }) =>
    operation === 'retrieve' ? [[resource.prefix, path] as const] : [],
  ),
)

/** What there is, by the service's ids: on the target, or new. Asks the target once for each. */
export class Knowledge {
  readonly #target: Target
  readonly #ledger: Ledger
  #subscriptions: Promise<void> | undefined

  constructor(target: Target, ledger: Ledger) {
    this.#target = target
    this.#ledger = ledger
  }

  /** Throws Passing where the target does not say. */
  async of(id: string): Promise<Known> {
    const known = this.recalled(id)
    if (known) return known
    const asked = await this.#ask(id)
    // It may be new by now.
    const latest = this.recalled(id) ?? asked
    this.learn(id, latest)
    return latest
  }

  learn(id: string, known: Known): void {
    this.#ledger.set(id, JSON.stringify(known))
  }

  /** Gives the service's own rules of references the entities that there are. */
  readonly read: ReadItems = async (app, ids) => {
    const all = await Promise.all(ids.map(async (id) => ({ id, ...(await this.of(id)) })))
    const unread = { sk: '', list: '', order: '', external_id: '' }
    const items = all.flatMap(({ id, is, data = {} }) =>
      is === 'absent' ? [] : [[id, { ...unread, pk: `${app}#${id}`, data }] as const],
    )
    return new Map(items)
  }

  /** What is known already. */
  recalled(id: string): Known | undefined {
    const text = this.#ledger.get(id)
    return text === undefined ? undefined : (JSON.parse(text) as Known)
  }

  async #get(path: string): Promise<Answer> {
    const answer = await this.#target.send('GET', path)
    if (answer.status !== 200 && answer.status !== 404) throw new Passing(answer)
    return answer
  }

  async #ask(id: string): Promise<Known> {
    const path = retrieves.get(prefixOf(id))
    if (path) return { is: (await this.#get(path.replace('{id}', id))).status === 200 ? 'there' : 'absent' }
    // Subscriptions are not retrieved one by one: all are listed, once.
    this.#subscriptions ??= this.#listSubscriptions()
    try {
      await this.#subscriptions
    } catch (error) {
      this.#subscriptions = undefined
      throw error
    }
    return { is: 'absent' }
  }

  async #listSubscriptions(): Promise<void> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { text } = await this.#get(`/api/subscriptions?limit=100&cursor=${encodeURIComponent(cursor)}`)
      const { data, pagination } = JSON.parse(text)
      for (const { id, customer_id } of data.subscriptions)
        this.learn(id, { is: 'there', data: { customer_id } })
      cursor = pagination.next_cursor
    }
  }
}
