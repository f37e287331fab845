import type { DatabaseSync } from 'node:sqlite'
import { includesOf, resourcesByName } from '../../../shared/catalogue.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import type { Values } from '../../../shared/contract/schema.ts'
import { type Item, packedContent } from '../../../shared/store/items.ts'
import { entityKey } from '../../../shared/store/keys.ts'
import { DiskMap } from '../run-database.ts'
import type { Service, ShownEntity } from './service.ts'

/** The includes with which a response shows a hidden field. */
const hiddenIncludes = (resource: Resource) =>
  Object.entries(includesOf(resource)).flatMap(([name, { path, embedsEntities }]) =>
    path && !resource.fields[path.within ?? path.field]!.visible ? [{ name, path, embedsEntities }] : [],
  )

/** The includes with which a response shows as much of an entity as possible. */
const fullIncludes = (resource: Resource): string[] => [
  'external_id',
  ...hiddenIncludes(resource).map(({ name }) => name),
]

const idsOfEmbedded = (embedded: unknown): unknown =>
  Array.isArray(embedded) ? embedded.map(idsOfEmbedded) : ((embedded as Values | null)?.id ?? null)

/** The stored content of an entity that a response shows with `fullIncludes`: ids in place of embedded entities. */
const contentOfResponse = (resource: Resource, entity: ShownEntity): Values => {
  const { id: _, external_id: __, ...shown } = entity
  let content: Values = shown
  for (const { name, path, embedsEntities } of hiddenIncludes(resource)) {
    if (!embedsEntities) continue
    const withIds = ({ [name]: embedded, ...object }: Values): Values => ({
      ...object,
      [path.field]: idsOfEmbedded(embedded),
    })
    const { within: list } = path
    content =
      list === undefined ? withIds(content) : { ...content, [list]: (content[list] as Values[]).map(withIds) }
  }
  return content
}

/** An entity in the state that it would have by now in an import that is not a dry run. */
export interface PredictedEntity {
  /** `recorded`: the service has it. `new`: an earlier row would have created it. */
  readonly state: 'absent' | 'recorded' | 'new'
  readonly externalId?: string
  /** Of a recorded entity: the content that responses show. Of an entity that an invoice starts: its references. */
  readonly content?: Values
  /** The hash of the content to which an earlier row would have created or updated the entity. */
  readonly contentHash?: string
  /** Of a new entity: the hash of the fields that no row can update. */
  readonly fixedHash?: string
  /** Of a new entity: whether it would have been recorded as erased. */
  readonly isErased?: boolean | undefined
}

const resourceByPrefix = new Map([...resourcesByName.values()].map((resource) => [resource.prefix, resource]))

/** The service's id begins with the resource's prefix. */
const resourceOfId = (id: string): Resource => resourceByPrefix.get(id.slice(0, id.indexOf('_')))!

/** The entities that the rows of a dry run create or refer to, by the service's ids. */
export class PredictedEntities {
  readonly #service: Service
  readonly #entities: DiskMap

  constructor(service: Service, database: DatabaseSync) {
    this.#service = service
    this.#entities = new DiskMap(database, 'predicted')
  }

  /** Undefined for an entity that was not read or set before. */
  get(id: string): PredictedEntity | undefined {
    const json = this.#entities.get(id)
    return json === undefined ? undefined : JSON.parse(json)
  }

  set(id: string, entity: PredictedEntity): void {
    this.#entities.set(id, JSON.stringify(entity))
  }

  /** Reads an entity from the service, if it was not read or set before. */
  async read(id: string): Promise<PredictedEntity> {
    const entity = this.get(id)
    if (entity) return entity
    const response = await this.#fetch(id)
    // Meanwhile, another row may have set the entity.
    const latest = this.get(id) ?? response
    this.set(id, latest)
    return latest
  }

  /** The items of the entities that exist, with the attributes that `resolveReferences` reads. */
  async readItems(app: string, ids: readonly string[]): Promise<ReadonlyMap<string, Item>> {
    const items = new Map<string, Item>()
    const entities = await Promise.all(ids.map((id) => this.read(id)))
    for (const [index, { state, externalId = '', content = {} }] of entities.entries()) {
      if (state === 'absent') continue
      const id = ids[index]!
      const { pk } = entityKey(app, id)
      const attributes = packedContent(resourceOfId(id), content)
      items.set(id, { pk, sk: '', list: '', order: '', external_id: externalId, ...attributes })
    }
    return items
  }

  async #fetch(id: string): Promise<PredictedEntity> {
    const resource = resourceOfId(id)
    const entity = await this.#service.find(resource, id, fullIncludes(resource))
    // The service also finds an entity whose client's id is this id.
    if (entity?.id !== id) return { state: 'absent' }
    return {
      state: 'recorded',
      externalId: String(entity.external_id),
      content: contentOfResponse(resource, entity),
    }
  }
}
