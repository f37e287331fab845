import { type About, about } from './about.ts'
import { parseDate } from './dates.ts'
import type { Field } from './field.ts'
import type { Violation } from './rules.ts'
import type { Values } from './schema.ts'

/** The page size of a request without `limit`, and the maximum of `limit`. */
export const DEFAULT_LIMIT = 20
export const MAX_LIMIT = 100

/** A query parameter of an endpoint; `kind` determines how it is read. */
export interface QueryParameter {
  readonly name: string
  readonly kind: 'limit' | 'cursor' | 'changed_since' | 'include' | 'filter' | 'option'
  readonly about: About | undefined
}

/** The parameters of every list. */
export const pageParameters: readonly QueryParameter[] = [
  { name: 'limit', kind: 'limit', about: about('The maximum number of entities on a page.') },
  {
    name: 'cursor',
    kind: 'cursor',
    about: about(
      '`next_cursor` or `previous_cursor` of a page of this list. Absent, empty or `null` for the first page.',
    ),
  },
  {
    name: 'changed_since',
    kind: 'changed_since',
    about: about(
      `Seconds since the epoch, or a date. Returns only entities recorded or changed at or after this time: each once, in its current
state, oldest change first, with the second of its last change as \`changed\`. The greatest \`changed\` that you have stored is a safe
next value. A change appears once it is at least as old as the delay in the header \`changes-held-back\`. With \`cursor\`, it can be left out.`,
    ),
  },
]

/** The maximum digits of a time in seconds. A time in milliseconds has more. */
export const SECONDS_DIGITS = 11

/** The valid values of `changed_since`, as an error's detail describes them. */
export const SINCE_EXPECTS = `seconds since the epoch, at most ${SECONDS_DIGITS} digits, or a date such as "2026-01-01" or "2026-01-01T09:30:00%2B01:00"`

/**
 * The second of the epoch in a `changed_since`, 0 for a time before the epoch; undefined if it is invalid.
 */
export const parseSince = (text: string): number | undefined => {
  if (text.length <= SECONDS_DIGITS && /^\d+$/.test(text)) return Number(text)
  const seconds = parseDate(text)
  return seconds === undefined ? undefined : Math.max(0, seconds)
}

/** The parameter of lists and retrieves with the names of the values to embed. */
export const includeParameter: QueryParameter = {
  name: 'include',
  kind: 'include',
  about: about(
    'The names of the values to embed, separated by commas or in several parameters of this name. Each adds a key to the entities.',
  ),
}

/** The query parameter that filters a list by a reference. It accepts either id of the referenced entity. */
export const filterParameter = (field: string, plural: string): QueryParameter => ({
  name: field,
  kind: 'filter',
  about: about(`Only ${plural} with this \`${field}\`, the id that the service assigned or your own.`),
})

/**
 * An option of an operation: a query parameter that changes what the operation does. It is a flag, or one of
 * several words. Empty and `null` are refused, because ignoring an option would change the meaning of a
 * request.
 */
export type EndpointOption = Field & {
  /** A rule between the body and all options, which applies if this option is present and not false. */
  readonly rule?: (body: Values, options: Values) => Violation[]
  /** Whether a create with this option can change an existing entity. Its response has the outcome. */
  readonly updates?: true
}

/** The options of an endpoint, by name. */
export type EndpointOptions = Readonly<Record<string, EndpointOption>>

export const optionParameters = (options: EndpointOptions): QueryParameter[] =>
  Object.entries(options).map(([name, { about }]) => ({ name, kind: 'option', about }))
