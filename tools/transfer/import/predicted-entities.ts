import type { DatabaseSync } from 'node:sqlite'
import { includesOf, resourcesByName } from '../../../shared/catalogue.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import type { Values } from '../../../shared/contract/schema.ts'
import { type Item, packedContent } from '../../../shared/store/items.ts'
import { entityKey } from '../../../shared/store/keys.ts'
import { DiskMap } from '../run-database.ts'
import type { ImportService, ShownEntity } from './service.ts'

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

/** An entity that would exist by now in an import that is not a dry run. */
export interface ExistingEntity {
  readonly externalId: string
  /** Of a recorded entity: the content that responses show. Of an entity that an invoice starts: its references. */
  readonly content: Values
  /** Whether an earlier row would have created or updated the entity to this content. */
  readonly isComplete?: boolean
  /** Whether an earlier row would have recorded it as erased. */
  readonly isErased?: boolean | undefined
}

const resourceByPrefix = new Map([...resourcesByName.values()].map((resource) => [resource.prefix, resource]))

/** The service's id begins with the resource's prefix. */
const resourceOfId = (id: string): Resource => resourceByPrefix.get(id.slice(0, id.indexOf('_')))!

/** The entities that the rows of a dry run create or refer to, by the service's ids. */
export class PredictedEntities {
  readonly #service: ImportService
  /** `null` for an entity that does not exist. */
  readonly #entities: DiskMap

  constructor(service: ImportService, database: DatabaseSync) {
    this.#service = service
    this.#entities = new DiskMap(database, 'predicted')
  }

  set(id: string, entity: ExistingEntity | null): void {
    this.#entities.set(id, JSON.stringify(entity))
  }

  /** Reads an entity from the service, if it was not read or set before; null if it does not exist. */
  async read(id: string): Promise<ExistingEntity | null> {
    const known = this.#entities.get(id)
    if (known !== undefined) return JSON.parse(known)
    const response = await this.#fetch(id)
    // Meanwhile, another row may have set the entity.
    if (this.#entities.get(id) === undefined) this.set(id, response)
    return JSON.parse(this.#entities.get(id)!)
  }

  /** The items of the entities that exist, with the attributes that `resolveReferences` reads. */
  async readItems(app: string, ids: readonly string[]): Promise<ReadonlyMap<string, Item>> {
    const items = new Map<string, Item>()
    for (const [index, entity] of (await Promise.all(ids.map((id) => this.read(id)))).entries()) {
      if (!entity) continue
      const id = ids[index]!
      const { pk } = entityKey(app, id)
      const attributes = packedContent(resourceOfId(id), entity.content)
      items.set(id, { pk, sk: '', list: '', order: '', external_id: entity.externalId, ...attributes })
    }
    return items
  }

  async #fetch(id: string): Promise<ExistingEntity | null> {
    const resource = resourceOfId(id)
    const entity = await this.#service.find(resource, id, fullIncludes(resource))
    // The service also finds an entity whose client's id is this id.
    if (entity?.id !== id) return null
    return { externalId: String(entity.external_id), content: contentOfResponse(resource, entity) }
  }
}
