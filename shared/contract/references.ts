import type { Fields, Reference } from './field.ts'
import type { Include } from './include.ts'
import type { Values } from './schema.ts'

/** The place of ids of other entities: a field, or that field of each object in the list `within`. */
interface FieldPath {
  readonly field: string
  readonly within?: string | undefined
}

/** A reference in a field of a resource, or in the listed objects of a field. */
export interface ReferenceField extends FieldPath {
  readonly reference: Reference
}

/** Returns all references of a resource, including those in listed objects. */
export const referencesOf = (fields: Fields): ReferenceField[] =>
  Object.entries(fields).flatMap(([field, { reference, items }]) => [
    ...(reference ? [{ field, reference }] : []),
    ...(items ? referencesOf(items.fields).map((inner) => ({ ...inner, within: field })) : []),
  ])

/** Returns the path of the ids of the entities that an include embeds. */
export const fieldPathOf = (include: Extract<Include, { from: 'reference' | 'listed' }>): FieldPath =>
  include.from === 'listed' ? { field: include.field, within: include.list } : { field: include.field }

/** Returns the name of the field that refers to the parent; undefined if a resource has no parent. */
export const parentField = (fields: Fields): string | undefined =>
  Object.keys(fields).find((name) => fields[name]?.reference?.isParent)

/** Returns the reference at a path. */
export const referenceAt = (fields: Fields, { field, within }: FieldPath): Reference =>
  (within === undefined ? fields : fields[within]!.items!.fields)[field]!.reference!

/**
 * Returns a body, or the content of an entity, with each id at a path replaced by the result of `convert`. `convert` receives
 * the id and its path in the body, such as `line_items[2].price_id`.
 */
export const mapIds = (
  { field, within }: FieldPath,
  values: Values,
  convert: (id: string | number, path: string) => unknown,
): Values => {
  const mapped = (object: Values, path: string): Values => {
    const ids = object[field] as string | number | (string | number)[] | null | undefined
    if (ids === null || ids === undefined) return object
    const converted = Array.isArray(ids)
      ? ids.map((id, index) => convert(id, `${path}[${index}]`))
      : convert(ids, path)
    return { ...object, [field]: converted }
  }
  if (within === undefined) return mapped(values, field)
  const objects = values[within] as readonly Values[] | null | undefined
  if (!objects) return values
  return {
    ...values,
    [within]: objects.map((object, index) => mapped(object, `${within}[${index}].${field}`)),
  }
}

/** Returns the ids in the value of a reference: one id, several, or none if it is null or absent. */
const idsIn = (value: unknown): string[] => {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

/** Returns the ids at a path. */
export const idsAt = ({ field, within }: FieldPath, values: Values): string[] => {
  if (within === undefined) return idsIn(values[field])
  const objects = (values[within] ?? []) as readonly Values[]
  return objects.flatMap((object) => idsIn(object[field]))
}
