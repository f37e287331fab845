import type { Endpoint } from '../contract/endpoint.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import type { Page } from '../pagination/page.ts'

/** An entity with what was asked to be embedded into it. */
export interface WithIncludes {
  readonly entity: Entity
  readonly embedded?: Readonly<Record<string, unknown>>
}

/** What a handler answers with: one entity or a page of them. */
export type Answer = WithIncludes | Page<WithIncludes>

export const isPage = (answer: Answer): answer is Page<WithIncludes> => 'items' in answer

/** Exactly the fields of §2: nothing else of what is stored leaves the service (S1). */
const presentEntity = (resource: Resource, { id, fields }: Entity): Record<string, unknown> => {
  const shown: Record<string, unknown> = { id }
  for (const name in resource.fields) shown[name] = (fields as Record<string, unknown>)[name]
  return shown
}

/** An entity with its embedded ones as sibling keys (S4). */
export const present = (
  { resource, include }: Endpoint,
  { entity, embedded = {} }: WithIncludes,
): Record<string, unknown> => {
  const shown = presentEntity(resource, entity)
  for (const [name, value] of Object.entries(embedded)) {
    const how = include[name]
    if (how?.from === 'children')
      shown[name] = (value as Entity[]).map((child) => presentEntity(how.resource, child))
    else
      shown[name] = how?.from === 'reference' && value ? presentEntity(how.resource, value as Entity) : value
  }
  return shown
}
