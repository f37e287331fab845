import type { Entity, Resource } from '../../shared/contract/resource.ts'
import { readItems } from '../../shared/store/batch.ts'
import { retryWhileBusy } from '../operator/retry.ts'
import type { ClientIds } from './export-body.ts'

/** Bounds the memory: what is forgotten is read again. */
const MOST_REMEMBERED = 100_000

const namedBy = ({ resource, content }: Entity): { readonly target: string; readonly id: string }[] =>
  Object.entries(resource.fields).flatMap(([name, { reference }]) =>
    reference
      ? ([content[name] ?? []].flat() as string[]).map((id) => ({ target: reference.target, id }))
      : [],
  )

/**
 * The client's ids of what entities refer to. It also knows which of those were recorded so late that the index of their
 * list may not show them yet, so that they can be exported all the same.
 */
export class References {
  readonly #app: string
  readonly #since: string
  readonly #known = new Map<string, string>()
  readonly #late = new Map<string, Set<string>>()

  /** Entities from the place `since` on, in the order of recording, count as late. */
  constructor(app: string, since: string) {
    this.#app = app
    this.#since = since
  }

  /** The client's ids of all that these entities refer to; throws where one of them does not exist. */
  async of(entities: readonly Entity[]): Promise<ClientIds> {
    const named = entities.flatMap(namedBy)
    const known = new Map(
      named.flatMap(({ id }) => (this.#known.has(id) ? [[id, this.#known.get(id)!]] : [])),
    )
    const missing = new Map(named.filter(({ id }) => !known.has(id)).map(({ id, target }) => [id, target]))
    if (missing.size === 0) return known
    const items = await retryWhileBusy(() => readItems(this.#app, [...missing.keys()]))
    if (this.#known.size > MOST_REMEMBERED) this.#known.clear()
    for (const [id, target] of missing) {
      const item = items.get(id)
      if (!item) throw new Error(`${target} ${id}, which others refer to, is not in the table`)
      for (const map of [known, this.#known]) map.set(id, item.external_id)
      if (item.order >= this.#since) this.expect(target, id)
    }
    return known
  }

  /** Makes an entity one that must not be missed. */
  expect(target: string, id: string): void {
    this.#late.set(target, (this.#late.get(target) ?? new Set()).add(id))
  }

  /** Takes note that an entity is exported. */
  found({ name }: Resource, id: string): void {
    this.#late.get(name)?.delete(id)
  }

  /** Those of a resource that must not be missed and were not found. */
  missed({ name }: Resource): string[] {
    return [...(this.#late.get(name) ?? [])]
  }
}
