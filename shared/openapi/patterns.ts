import { SECONDS_DIGITS } from '../contract/query.ts'
import { currencies } from '../money/currencies.ts'
import type { JsonObject } from './document-parts.ts'

/** The pattern of a text in any case. */
const anyCase = (text: string): string =>
  [...text].map((letter) => `[${letter}${letter.toLowerCase()}]`).join('')

/** The pattern of all currency codes in any case, grouped by their first letter. */
const currencyPattern = (): string => {
  const codesByFirst = Map.groupBy([...currencies], ([first]) => first as string)
  const groups = [...codesByFirst].map(
    ([first, codes]) => `${anyCase(first)}(?:${codes.map((code) => anyCase(code.slice(1))).join('|')})`,
  )
  return `^(?:${groups.join('|')})$`
}

/** A day that exists, as a pattern. */
const day =
  '(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)'
const hour = '(?:[01][0-9]|2[0-3])'
const time = `${hour}:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?`
const zone = `(?: ?[Zz]| UTC| ?[+-]${hour}(?::?[0-5][0-9])?| [+-]0000 UTC)`

const date = `${day}(?:[Tt ]${time}${zone}?)?`

/** The schema of `changed_since`, which a query sends as text: seconds since the epoch, or a date. */
export const sinceSchema: JsonObject = {
  type: 'string',
  pattern: `^(?:[0-9]{1,${SECONDS_DIGITS}}|${date})$`,
  examples: ['1767225600', '2026-01-31T09:30:00Z'],
}

/** The keywords for this project's own string formats: patterns, which every tool understands. */
export const formatKeywords: Readonly<Record<string, () => JsonObject>> = {
  currency: () => ({
    type: 'string',
    description: 'Any code that ISO 4217 has ever assigned, in any case. Responses have it in upper case.',
    pattern: currencyPattern(),
    examples: ['EUR', 'usd'],
  }),
  'billing-date': () => ({
    type: 'string',
    description:
      'A day (midnight UTC), or a day and time with its offset; without an offset, it is UTC. The seconds can be left out. The offset can be `Z`, ` UTC`, `+01:00`, `+0100` or `+01`. Responses have seconds since the epoch.',
    pattern: `^${date}$`,
    maxLength: 40,
    examples: ['2026-01-31', '2026-01-31 09:30:00', '2026-01-31T09:30:00+02:00', '2026-01-31T09:30'],
  }),
}

/**
 * The keyword `pattern` in a form that every dialect of regular expressions understands: with \x instead of
 * \u, and without surrogates, because JSON strings are Unicode. Returns an empty object if the remaining
 * pattern allows any text.
 */
export const portablePattern = (pattern: string): JsonObject => {
  const text = pattern.replace('\\uD800-\\uDFFF', '').replaceAll('\\u00', '\\x')
  return text === '^[^]*$' ? {} : { pattern: text }
}
