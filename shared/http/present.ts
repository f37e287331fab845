import type { Answer, WithIncludes } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Entity } from '../contract/resource.ts'
import type { Page } from '../pagination/page.ts'

/** Returns whether an answer is a page of a list. */
export const isPage = (answer: Answer | Page<WithIncludes>): answer is Page<WithIncludes> => 'items' in answer

/** Returns the visible fields of an entity. Nothing else that is stored leaves the service (S1). */
const presentEntity = ({ resource, id, content }: Entity): Record<string, unknown> => {
  const shown: Record<string, unknown> = { id }
  for (const name in resource.fields) if (resource.fields[name]?.visible) shown[name] = content[name]
  return shown
}

const presentEmbedded = (value: unknown, withExternalId: boolean): unknown => {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((each) => presentEmbedded(each, withExternalId))
  const entity = value as Entity
  return { ...presentEntity(entity), ...(withExternalId ? { external_id: entity.externalId } : {}) }
}

/** Returns an entity with its includes as sibling keys (S4), each with the client's own id on request (E1). */
export const present = (
  { include }: Pick<Endpoint, 'include'>,
  { entity, embedded = {} }: WithIncludes,
): Record<string, unknown> => {
  const shown = presentEntity(entity)
  for (const [name, value] of Object.entries(embedded)) {
    const from = include[name]?.from
    shown[name] =
      from === 'reference' || from === 'children' ? presentEmbedded(value, 'external_id' in embedded) : value
  }
  return shown
}
