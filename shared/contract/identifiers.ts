import type { About } from './about.ts'
import { type Field, type Fields, type Reference, requiredAndVisible } from './field.ts'
import type { Entity } from './resource.ts'
import { arraySchema, type Schema, type Values } from './schema.ts'

/** The kinds of fields that contain ids, and what is a valid id. */

const MAX_INTEGER = Number.MAX_SAFE_INTEGER

/** A pattern to the end of a text: no control characters and no lone surrogates. */
const PRINTABLE_TO_END = '[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]*$'

/** `42` and `"42"` are the same id. A URL cannot contain the segments `.` and `..`. */
export const externalIdSchema = {
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: 255,
  pattern: `^(?!\\.\\.?$)${PRINTABLE_TO_END}`,
  minimum: -MAX_INTEGER,
  maximum: MAX_INTEGER,
  component: 'ClientId',
  expects:
    'a string of 1 to 255 characters without control characters, not "." or "..", or an integer within ±(2^53−1)',
} as const satisfies Schema

const idPattern = new RegExp(externalIdSchema.pattern, 'u')

/** Whether a text can be an id of an entity, assigned by the client or by the server. */
export const isValidId = (text: string): boolean =>
  text !== '' && [...text].length <= externalIdSchema.maxLength && idPattern.test(text)

/**
 * Whether an id begins or ends with white space. A create refuses such an id: the space is invisible, and
 * files and forms lose it, so one entity would be recorded twice. An entity that was recorded with such an id
 * keeps it.
 */
export const isPadded = (id: string): boolean => id.trim() !== id

/** The schema of a server id: prefix, `_`, 22 letters and digits. */
export const serverIdSchema = (prefix: string): Schema => ({
  type: 'string',
  pattern: `^${prefix}_[0-9A-Za-z]{22}$`,
  maxLength: 30,
  expects: `an id such as ${prefix}_…`,
})

/** The schema of a reference in a request: the server id or the client id of an entity. */
export const eitherIdSchema: Schema = {
  ...externalIdSchema,
  component: 'EntityId',
  expects: 'an id that we assigned or your own',
}

/**
 * The schema of a reference in a response: the server id of an entity. A field has only the name of its
 * target; the OpenAPI document adds the pattern of the target's ids.
 */
const assignedIdSchema: Schema = { type: 'string', maxLength: 30, expects: 'an id that we assigned' }

type ReferringField = Field<string | number, string, true, true>

/** A reference to another entity, by its server id or its client id; stored and returned as the server id. */
export const reference = (target: string, about: About | undefined): ReferringField => ({
  ...requiredAndVisible,
  request: eitherIdSchema,
  response: assignedIdSchema,
  // The look-up has already replaced a client id by the server id.
  toStored: (sent) => String(sent),
  reference: { target },
  about,
})

/** A reference to the parent, the entity that owns this one. A list can be filtered by it. */
export const parent = (target: string, about: About | undefined): ReferringField => ({
  ...reference(target, about),
  reference: { target, isParent: true },
})

/**
 * A reference to an entity that need not exist: the create then starts it under the client id. An existing
 * entity must have the same value in the field `matching` as the body.
 */
export const referenceOrNew = (
  target: string,
  matching: string,
  about: About | undefined,
): ReferringField => ({
  ...reference(target, about),
  reference: { target, startsEntity: true, matching },
})

/** References to at most `max` entities of one resource. */
export const references = (
  target: string,
  max: number,
  about: About | undefined,
): Field<(string | number)[], string[], true, true> => ({
  ...requiredAndVisible,
  request: arraySchema(eitherIdSchema, max),
  response: arraySchema(assignedIdSchema, max),
  toStored: (sent) => sent.map(String),
  reference: { target, many: true },
  about,
})

/** The id of a listed object, as text; derived from the object's position if it is absent or null. */
export const lineId = (about: About | undefined): Field<string | number | null, string, false, true> => {
  const text: Schema = {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: `^${PRINTABLE_TO_END}`,
    expects: 'a string of 1 to 255 characters without control characters',
  }
  const request: Schema = {
    ...text,
    type: ['string', 'integer', 'null'],
    minimum: -MAX_INTEGER,
    maximum: MAX_INTEGER,
    component: 'LineId',
    expects: `${text.expects}, or an integer within ±(2^53−1), or null`,
  }
  return {
    required: false,
    visible: true,
    request,
    response: text,
    toStored: (sent, id) => (sent === null || sent === undefined ? id : String(sent)),
    about,
  }
}

/** The place of ids of other entities: a field, or that field of each object in the list `within`. */
export interface FieldPath {
  readonly field: string
  readonly within?: string | undefined
}

/** The place of ids in the objects of a list. */
export type ListedPath = FieldPath & { readonly within: string }

/** A reference in a field of a resource, or in the listed objects of a field. */
export interface ReferenceField extends FieldPath {
  readonly reference: Reference
}

/** All references of a resource, including those in listed objects. */
export const referencesOf = (fields: Fields): ReferenceField[] =>
  Object.entries(fields).flatMap(([field, { reference, items }]) => [
    ...(reference ? [{ field, reference }] : []),
    ...(items ? referencesOf(items.fields).map((inner) => ({ ...inner, within: field })) : []),
  ])

/** The name of the field that refers to the parent; undefined if a resource has no parent. */
export const parentField = (fields: Fields): string | undefined =>
  Object.keys(fields).find((name) => fields[name]?.reference?.isParent)

/** The parent of an entity that has one: the name of its resource, and its id. */
export const parentOf = ({ resource: { fields }, content }: Entity): { resource: string; id: string } => {
  const field = parentField(fields)!
  return { resource: fields[field]!.reference!.target, id: String((content as Values)[field]) }
}

export const referenceAt = (fields: Fields, { field, within }: FieldPath): Reference =>
  (within === undefined ? fields : fields[within]!.items!.fields)[field]!.reference!

/**
 * A body, or the content of an entity, with each id at a path replaced by the result of `convert`. `convert`
 * receives the id and its path in the body, such as `line_items[2].price_id`.
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

/** The ids in the value of a reference: one id, several, or none if it is null or absent. */
const idsIn = (value: unknown): string[] => {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

export const idsAt = ({ field, within }: FieldPath, values: Values): string[] => {
  if (within === undefined) return idsIn(values[field])
  const objects = (values[within] ?? []) as readonly Values[]
  return objects.flatMap((object) => idsIn(object[field]))
}
