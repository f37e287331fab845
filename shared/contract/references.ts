import type { Include } from './endpoint.ts'
import type { Fields, Reference } from './field.ts'

/** The place of ids of other entities: a field, or that field of each object in the list `within`. */
export interface Place {
  readonly field: string
  readonly within?: string | undefined
}

/** A reference in a field of a resource, or in the listed objects of a field. */
export interface PlacedReference extends Place {
  readonly reference: Reference
}

type Values = Readonly<Record<string, unknown>>

/** Returns all references of a resource, including those in listed objects. */
export const referencesOf = (fields: Fields): PlacedReference[] =>
  Object.entries(fields).flatMap(([field, { reference, items }]) => [
    ...(reference ? [{ field, reference }] : []),
    ...(items ? referencesOf(items.fields).map((inner) => ({ ...inner, within: field })) : []),
  ])

/** Returns the place of the ids of what an include embeds. */
export const placeOf = (include: Extract<Include, { from: 'reference' | 'listed' }>): Place =>
  include.from === 'listed' ? { field: include.field, within: include.list } : { field: include.field }

/** Returns the name of the field that refers to the parent; undefined if a resource has no parent. */
export const parentField = (fields: Fields): string | undefined =>
  Object.keys(fields).find((name) => fields[name]?.reference?.isParent)

/** Returns the reference at a place. */
export const referenceAt = (fields: Fields, { field, within }: Place): Reference =>
  (within === undefined ? fields : fields[within]!.items!.fields)[field]!.reference!

/** Returns `values`, a body or an entity's content, with `to` applied to each id at a place. */
export const mapIds = (
  { field, within }: Place,
  values: Values,
  to: (id: string | number, path: string) => unknown,
): Values => {
  const mapped = (object: Values, path: string): Values => {
    const ids = object[field] as string | number | (string | number)[] | null | undefined
    if (ids == null) return object
    const after = Array.isArray(ids) ? ids.map((id, index) => to(id, `${path}[${index}]`)) : to(ids, path)
    return { ...object, [field]: after }
  }
  if (within === undefined) return mapped(values, field)
  const objects = values[within] as readonly Values[] | null | undefined
  if (!objects) return values
  return {
    ...values,
    [within]: objects.map((object, index) => mapped(object, `${within}[${index}].${field}`)),
  }
}

/** Returns the ids at a place. */
export const idsAt = (place: Place, values: Values): string[] => {
  const ids: string[] = []
  mapIds(place, values, (id) => ids.push(String(id)))
  return ids
}
