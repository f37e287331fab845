import type { About } from './about.ts'
import type { Field } from './field.ts'
import { arraySchema, type Schema } from './schema.ts'

/** The types of fields that contain ids. */

const LARGEST = Number.MAX_SAFE_INTEGER
const printable = '[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]*$'
const required = { required: true, visible: true } as const

/** The schema of a client id: a string or a safe integer. `42` and `"42"` are the same id. URLs cannot contain `.` and `..`. */
export const externalIdSchema = {
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: 255,
  pattern: `^(?!\\.\\.?$)${printable}`,
  minimum: -LARGEST,
  maximum: LARGEST,
  component: 'ClientId',
  expects:
    'a string of 1 to 255 characters without control characters, not "." or "..", or an integer within ±(2^53−1)',
} as const satisfies Schema

const idPattern = new RegExp(externalIdSchema.pattern, 'u')

/** Returns whether a text is a valid client id. */
export const isIdText = (text: string): boolean =>
  text !== '' && [...text].length <= externalIdSchema.maxLength && idPattern.test(text)

/**
 * Returns whether an id begins or ends with white space. No new entity is allowed to have such an id: nobody sees the space, and
 * files and forms lose it, so one entity would be recorded twice. An existing entity keeps its id.
 */
export const isPadded = (id: string): boolean => id.trim() !== id

/** The schema of a server id: prefix, `_`, 22 letters and digits. */
export const serverIdSchema = (prefix: string): Schema => ({
  type: 'string',
  pattern: `^${prefix}_[0-9A-Za-z]{22}$`,
  maxLength: 30,
  expects: `an id such as ${prefix}_…`,
})

/** The schema of a reference in a request. */
export const eitherIdSchema: Schema = {
  ...externalIdSchema,
  component: 'EntityId',
  expects: 'an id that we assigned or your own',
}
// A field has only the target's name. The OpenAPI document adds the pattern of its ids.
const assignedIdSchema: Schema = { type: 'string', maxLength: 30, expects: 'an id that we assigned' }

type Referring = Field<string | number, string, true, true>

/** The server's or the client's id of another entity; stored and shown as the server's. */
export const reference = (target: string, about: About | undefined): Referring => ({
  ...required,
  request: eitherIdSchema,
  response: assignedIdSchema,
  // The look-up has already replaced a client id by the server's.
  toStored: (sent) => String(sent),
  reference: { target },
  about,
})

/** A reference to the owning entity, by which a list can be filtered. */
export const parent = (target: string, about: About | undefined): Referring => ({
  ...reference(target, about),
  reference: { target, isParent: true },
})

/**
 * A reference to an entity that need not exist: the create then starts it under the client's id. An existing one must
 * have the same value in the field `matching` as the body.
 */
export const referenceOrNew = (target: string, matching: string, about: About | undefined): Referring => ({
  ...reference(target, about),
  reference: { target, startsEntity: true, matching },
})

/** References to at most `max` entities of one resource. */
export const references = (
  target: string,
  max: number,
  about: About | undefined,
): Field<(string | number)[], string[], true, true> => ({
  ...required,
  request: arraySchema(eitherIdSchema, max),
  response: arraySchema(assignedIdSchema, max),
  toStored: (sent) => sent.map(String),
  reference: { target, many: true },
  about,
})

/** The id of a listed object: stored as text, or derived from its position if none is sent. */
export const lineId = (about: About | undefined): Field<string | number | null, string, false, true> => {
  const text: Schema = {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: `^${printable}`,
    expects: 'a string of 1 to 255 characters without control characters',
  }
  const request: Schema = {
    ...text,
    type: ['string', 'integer', 'null'],
    minimum: -LARGEST,
    maximum: LARGEST,
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
