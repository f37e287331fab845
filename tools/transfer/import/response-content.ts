import { includesOf } from '../../../shared/catalogue.ts'
import type { FieldPath } from '../../../shared/contract/identifiers.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import type { Values } from '../../../shared/contract/schema.ts'
import type { ShownEntity } from './service.ts'

/** An include with which a response shows a hidden field. */
interface HiddenInclude {
  readonly name: string
  readonly path: FieldPath
  readonly embedsEntities: boolean | undefined
}

const hiddenIncludes = (resource: Resource): HiddenInclude[] => {
  const found: HiddenInclude[] = []
  for (const [name, { path, embedsEntities }] of Object.entries(includesOf(resource)))
    if (path && !resource.fields[path.within ?? path.field]!.visible)
      found.push({ name, path, embedsEntities })
  return found
}

/** Returns the names of the includes with which a response shows as much of an entity as possible. */
export const fullIncludes = (resource: Resource): string[] => [
  'external_id',
  ...hiddenIncludes(resource).map(({ name }) => name),
]

/** Returns the id of an embedded entity, or the ids of several; null for null. */
const idsOfEmbedded = (embedded: unknown): unknown =>
  Array.isArray(embedded) ? embedded.map(idsOfEmbedded) : ((embedded as Values | null)?.id ?? null)

/** Returns the stored content of an entity that a response shows with `fullIncludes`: ids in place of embedded entities. */
export const contentOfResponse = (resource: Resource, entity: ShownEntity): Values => {
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
