import type { Entity } from './entities.ts'

/** Returns the label of an entity: its name, its title or the user's own id for it, or otherwise the service's id. */
export const entityLabel = ({ id, name, title, external_id }: Entity): string =>
  String(name ?? title ?? external_id ?? id)
