import { includesOf } from '../../../shared/catalogue.ts'
import type { Include } from '../../../shared/contract/include.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import type { Values } from '../../../shared/contract/schema.ts'
import type { ShownEntity } from './service.ts'

type HiddenInclude = Extract<Include, { readonly from: 'field' | 'reference' | 'listed' }>

/** Returns the includes with which a response shows the hidden fields of a resource, by their name. */
const hiddenIncludes = (resource: Resource): [string, HiddenInclude][] => {
  const found: [string, HiddenInclude][] = []
  for (const [name, include] of Object.entries(includesOf(resource))) {
    if (include.from === 'external_id' || include.from === 'children') continue
    const isHidden = include.from === 'listed' || !resource.fields[include.field]!.visible
    if (isHidden) found.push([name, include])
  }
  return found
}

/** Returns the names of the includes with which a response shows as much of an entity as possible. */
export const fullIncludes = (resource: Resource): string[] => [
  'external_id',
  ...hiddenIncludes(resource).map(([name]) => name),
]

/** Returns the id of an embedded entity, or the ids of several; null for null. */
const idsOfEmbedded = (embedded: unknown): unknown =>
  Array.isArray(embedded) ? embedded.map(idsOfEmbedded) : ((embedded as Values | null)?.id ?? null)

/** Returns the stored content of an entity that a response shows with `fullIncludes`: ids in place of embedded entities. */
export const contentOfResponse = (resource: Resource, entity: ShownEntity): Values => {
  const { id: _, external_id: __, ...content }: Record<string, unknown> = entity
  for (const [name, include] of hiddenIncludes(resource)) {
    if (include.from === 'listed') {
      const objects = content[include.list] as readonly Values[]
      content[include.list] = objects.map(({ [name]: embedded, ...object }) => ({
        ...object,
        [include.field]: idsOfEmbedded(embedded),
      }))
    }
    if (include.from === 'reference') {
      const { [name]: embedded } = content
      delete content[name]
      content[include.field] = idsOfEmbedded(embedded)
    }
  }
  return content
}
