import { idsAt, referencesOf } from '../../../shared/contract/references.ts'
import type { Entity, Resource } from '../../../shared/contract/resource.ts'
import { readItems } from '../../../shared/store/read.ts'
import { retryWhileBusy } from '../../applications/retry.ts'
import type { ClientIds } from './export-body.ts'

const MAX_CACHED = 100_000

const referencedBy = ({ resource, content }: Entity): (readonly [id: string, target: string])[] =>
  referencesOf(resource.fields).flatMap((path) =>
    idsAt(path, content).map((id) => [id, path.reference.target] as const),
  )

/**
 * Finds the client's ids of the entities that others refer to. It also tracks those that were recorded so recently that the
 * index of their list may not contain them yet, so that the export does not miss them.
 */
export class References {
  readonly #app: string
  readonly #since: string
  readonly #cache = new Map<string, string>()
  readonly #recent = new Map<string, Set<string>>()

  /** Tracks the entities whose order is `since` or later. */
  constructor(app: string, since: string) {
    this.#app = app
    this.#since = since
  }

  /** Returns the client's ids of all entities that these refer to. Throws Error if one of them does not exist. */
  async clientIdsIn(entities: readonly Entity[]): Promise<ClientIds> {
    const missing = new Map(entities.flatMap(referencedBy))
    const known = new Map<string, string>()
    for (const id of missing.keys()) if (this.#cache.has(id)) known.set(id, this.#cache.get(id)!)
    for (const id of known.keys()) missing.delete(id)
    if (missing.size === 0) return known
    const items = await retryWhileBusy(() => readItems(this.#app, [...missing.keys()]))
    if (this.#cache.size > MAX_CACHED) this.#cache.clear()
    for (const [id, target] of missing) {
      const item = items.get(id)
      if (!item) throw new Error(`${target} ${id} is missing in the table, and others refer to it`)
      for (const map of [known, this.#cache]) map.set(id, item.external_id)
      if (item.order >= this.#since) this.expect(target, id)
    }
    return known
  }

  expect(target: string, id: string): void {
    this.#recent.set(target, (this.#recent.get(target) ?? new Set()).add(id))
  }

  found({ name }: Resource, id: string): void {
    this.#recent.get(name)?.delete(id)
  }

  /** Returns the tracked entities of a resource that have not been exported. */
  missed({ name }: Resource): string[] {
    return [...(this.#recent.get(name) ?? [])]
  }
}
