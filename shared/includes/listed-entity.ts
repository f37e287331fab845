import type { About } from '../contract/about.ts'
import { idsAt, type ListedPath, parentOf, referenceAt } from '../contract/identifiers.ts'
import type { EmbeddedEntity, Include } from '../contract/include.ts'
import type { Entity } from '../contract/resource.ts'
import type { Values } from '../contract/schema.ts'

/**
 * The entity that each object of a list refers to, with its parent, embedded into the object. The list is an
 * include too, and must be requested with this one.
 */
export const listedEntity = (path: ListedPath, about: About | undefined): Include => {
  const { within: list, field } = path
  return {
    about,
    path,
    embedsEntities: true,
    idsToRead: ({ resource, content }, read) => {
      const { target } = referenceAt(resource.fields, path)
      // Many objects refer to the same few entities.
      const ids = [...new Set(idsAt(path, content))]
      const entities = ids.flatMap((id) => read.find(target, id) ?? [])
      return [...ids, ...entities.map((entity) => parentOf(entity).id)]
    },
    embed: ({ resource, content }, read) => {
      const { target } = referenceAt(resource.fields, path)
      const embeddedWithParent = (entity: Entity): EmbeddedEntity => {
        const parent = parentOf(entity)
        const parentEntity = read.find(parent.resource, parent.id)
        return { entity, embedded: { [parent.resource]: parentEntity ? { entity: parentEntity } : null } }
      }
      return ((content as Values)[list] as Values[]).map(({ [field]: id }) => {
        const entity = id ? read.find(target, String(id)) : undefined
        return entity ? embeddedWithParent(entity) : null
      })
    },
    schema: ({ fields }, schemas) => schemas.entityWithParent(referenceAt(fields, path).target),
    excess: (name) => ({ of: `${list} with ${name}`, advice: `name ${list} without ${name}` }),
  }
}
