import { visibleContent } from '../contract/field.ts'
import type { Include } from '../contract/include.ts'
import type { Values } from '../contract/schema.ts'

/** A hidden field of the entity itself. */
export const ownField = (field: string): Include => ({
  path: { field },
  embed: ({ resource, content }) => {
    const { items } = resource.fields[field]!
    const value = (content as Values)[field]
    return items ? (value as Values[]).map((object) => visibleContent(items.fields, object)) : value
  },
  schema: ({ fields }, schemas) => schemas.field(fields[field]!),
})
