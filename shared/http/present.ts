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

const presentEmbedded = (value: unknown): unknown => {
  if (Array.isArray(value)) return (value as Entity[]).map(presentEntity)
  return value === null ? null : presentEntity(value as Entity)
}

/** An entity with its embedded ones as sibling keys (S4). */
export const present = (
  { include }: Pick<Endpoint, 'include'>,
  { entity, embedded = {} }: WithIncludes,
): Record<string, unknown> => {
  const shown = presentEntity(entity)
  for (const [name, value] of Object.entries(embedded))
    shown[name] = include[name]?.from === 'field' ? value : presentEmbedded(value)
  return shown
}
