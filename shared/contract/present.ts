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

/** Returns an embedded entity, a list of them, or null, as a response shows it. */
const presentEmbedded = (value: unknown, withExternalId: boolean): unknown => {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((item) => presentEmbedded(item, withExternalId))
  const { entity, embedded = {} } = value as WithIncludes
  const presented = presentFields(entity.resource.fields, entity.content, { id: entity.id })
  for (const name in embedded) presented[name] = presentEmbedded(embedded[name], withExternalId)
  if (withExternalId) presented.external_id = entity.externalId
  return presented
}

/** Returns the value of a hidden field that a request includes. */
const presentField = (fields: Fields, name: string, value: unknown): unknown => {
  const { items } = fields[name]!
  return items ? (value as Values[]).map((item) => presentFields(items.fields, item)) : value
}

/**
 * Returns an entity as a response shows it: its visible fields and, beside them, its includes. If the client's own id is among
 * the includes, each embedded entity has it too.
 */
export const present = (
  { include: includes }: Pick<Endpoint, 'include'>,
  { entity, embedded = {}, changed }: WithIncludes,
): Presented => {
  const { fields } = entity.resource
  const presented = presentFields(fields, entity.content, { id: entity.id })
  const withExternalId = 'external_id' in embedded
  for (const [name, value] of Object.entries(embedded)) {
    const include = includes[name]!
    if (include.from === 'external_id') presented[name] = value
    else if (include.from === 'field') presented[name] = presentField(fields, include.field, value)
    else if (include.from !== 'listed') presented[name] = presentEmbedded(value, withExternalId)
  }
  // Last, because the objects of the lists must have been added before.
  for (const [name, value] of Object.entries(embedded)) {
    const include = includes[name]!
    if (include.from !== 'listed') continue
    const objects = presented[include.list] as Presented[]
    for (const [index, object] of objects.entries())
      object[name] = presentEmbedded((value as unknown[])[index], withExternalId)
  }
  if (changed !== undefined) presented.changed = changed
  return presented
}
