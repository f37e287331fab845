import type { WithIncludes } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import type { Fields } from './field.ts'
import type { Values } from './schema.ts'

type Presented = Record<string, unknown>

/** Adds the visible fields of `content` to `presented`. No other stored value leaves the service. */
const presentFields = (fields: Fields, content: Values, presented: Presented = {}): Presented => {
  for (const name in fields) if (fields[name]!.visible) presented[name] = content[name]
  return presented
}

const presentEmbedded = (value: unknown, withExternalId: boolean): unknown => {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((each) => presentEmbedded(each, withExternalId))
  const { entity, embedded = {} } = value as WithIncludes
  const presented = presentFields(entity.resource.fields, entity.content, { id: entity.id })
  for (const name in embedded) presented[name] = presentEmbedded(embedded[name], withExternalId)
  if (withExternalId) presented.external_id = entity.externalId
  return presented
}

/** Returns an entity with its includes as sibling keys, each with the client's own id on request. */
export const present = (
  { include }: Pick<Endpoint, 'include'>,
  { entity, embedded = {}, changed }: WithIncludes,
): Presented => {
  const { fields } = entity.resource
  const presented = presentFields(fields, entity.content, { id: entity.id })
  const withExternalId = 'external_id' in embedded
  for (const [name, value] of Object.entries(embedded)) {
    const how = include[name]!
    if (how.from === 'external_id') presented[name] = value
    else if (how.from === 'field') {
      const { items } = fields[how.field]!
      presented[name] = items ? (value as Values[]).map((each) => presentFields(items.fields, each)) : value
    } else if (how.from !== 'listed') presented[name] = presentEmbedded(value, withExternalId)
  }
  for (const [name, value] of Object.entries(embedded)) {
    const how = include[name]!
    if (how.from !== 'listed') continue
    for (const [index, object] of (presented[how.list] as Presented[]).entries())
      object[name] = presentEmbedded((value as unknown[])[index], withExternalId)
  }
  if (changed !== undefined) presented.changed = changed
  return presented
}
