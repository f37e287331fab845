interface Labelled {
  readonly id: string
  readonly name?: unknown
  readonly title?: unknown
  readonly external_id?: unknown
}

/** Returns the label of an entity: its name, its title or the user's own id for it, or otherwise the service's id. */
export const entityLabel = ({ id, name, title, external_id }: Labelled): string =>
  String(name ?? title ?? external_id ?? id)
