import type { About } from '../contract/about.ts'
import { idsAt, referenceAt } from '../contract/identifiers.ts'
import type { EmbeddedEntity, Include } from '../contract/include.ts'
import { arraySchema } from '../contract/schema.ts'

/** The entity that a field refers to, or the entities if the field has several ids. */
export const referencedEntity = (field: string, about: About | undefined): Include => {
  const path = { field }
  return {
    about,
    path,
    embedsEntities: true,
    idsToRead: ({ content }) => idsAt(path, content),
    embed: ({ resource, content }, read) => {
      const { target, many } = referenceAt(resource.fields, path)
      const embedded = idsAt(path, content)
        .map((id) => read.find(target, id))
        .filter((entity) => entity !== undefined)
        .map((entity): EmbeddedEntity => ({ entity }))
      return many ? embedded : (embedded[0] ?? null)
    },
    schema: ({ fields }, schemas) => {
      const { target, many } = referenceAt(fields, path)
      const entity = schemas.entity(target)
      return many ? arraySchema(entity, fields[field]!.request.maxItems!) : entity
    },
  }
}
