import type { Answer, WithIncludes } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Entity } from '../contract/resource.ts'
import type { Page } from '../pagination/page.ts'

/** Whether an answer is a list's. */
export const isPage = (answer: Answer | Page<WithIncludes>): answer is Page<WithIncludes> => 'items' in answer

/** Exactly the fields of §2: nothing else of what is stored leaves the service (S1). */
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

/** An entity with its embedded ones as sibling keys (S4), all of them with the client's own id if asked for (E1). */
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
