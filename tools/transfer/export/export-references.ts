import { idsAt, referencesOf } from '../../../shared/contract/identifiers.ts'
import type { Entity, Resource } from '../../../shared/contract/resource.ts'
import { readItems } from '../../../shared/store/read.ts'
import { retryWhileBusy } from '../../applications/retry.ts'

/** The client's ids of entities by the service's ids. */
export type ClientIds = ReadonlyMap<string, string>

const MAX_CACHED = 100_000

/** The ids to which an entity refers, with the names of their resources. */
const referencesIn = ({ resource, content }: Entity): (readonly [id: string, target: string])[] =>
  referencesOf(resource.fields).flatMap((path) =>
    idsAt(path, content).map((id) => [id, path.reference.target] as const),
  )

/**
 * Finds the client's ids of referenced entities. It also tracks the referenced entities that were recorded so recently that the
 * index of their list may not contain them yet, so that the export does not miss them.
 */
export class References {
  readonly #app: string
  readonly #recentFrom: string
  readonly #cache = new Map<string, string>()
  readonly #trackedIds = new Map<string, Set<string>>()

  /** The entities whose order is `recentFrom` or later are tracked. */
  constructor(app: string, recentFrom: string) {
    this.#app = app
    this.#recentFrom = recentFrom
  }

  /** Throws Error if one of the entities does not exist. */
  async clientIdsFor(entities: readonly Entity[]): Promise<ClientIds> {
    const clientIds = new Map<string, string>()
    const uncached = new Map<string, string>()
    for (const [id, target] of entities.flatMap(referencesIn)) {
      const clientId = this.#cache.get(id)
      if (clientId === undefined) uncached.set(id, target)
      else clientIds.set(id, clientId)
    }
    if (uncached.size === 0) return clientIds
    const items = await retryWhileBusy(() => readItems(this.#app, [...uncached.keys()]))
    if (this.#cache.size > MAX_CACHED) this.#cache.clear()
    for (const [id, target] of uncached) {
      const item = items.get(id)
      if (!item) throw new Error(`the table does not contain ${target} ${id}, to which an entity refers`)
      clientIds.set(id, item.external_id)
      this.#cache.set(id, item.external_id)
      if (item.order >= this.#recentFrom) this.track(target, id)
    }
    return clientIds
  }

  /** `target` is the name of the resource, `id` the service's id. */
  track(target: string, id: string): void {
    const ids = this.#trackedIds.get(target) ?? new Set()
    this.#trackedIds.set(target, ids.add(id))
  }

  markExported({ name }: Resource, id: string): void {
    this.#trackedIds.get(name)?.delete(id)
  }

  /** The tracked entities that have not been exported. */
  missing({ name }: Resource): string[] {
    return [...(this.#trackedIds.get(name) ?? [])]
  }
}
