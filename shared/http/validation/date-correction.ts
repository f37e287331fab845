import { hasDateForm, parseDate } from '../../contract/dates.ts'

/** Replacements that turn other notations of a date into a notation that the API accepts. */
const replacements: readonly [pattern: RegExp, replacement: string][] = [
  // The name of a zone after its offset, as Java and Go print it. It may contradict the offset.
  [/(\d\d:\d\d.* ?[+-]\d\d:?\d\d|Z)(?:\[.*\]| [A-Z]{2,5}| [+-]\d{2,4})$/, '$1'],
  [/^(\d{4})[/.](\d\d?)[/.](\d\d?)(?!\d)/, '$1-$2-$3'],
  [/^(\d{4})(\d\d)(\d\d)(?!\d)/, '$1-$2-$3'],
  [/^(\d{4})-(\d)(?!\d)/, '$1-0$2'],
  [/^(\d{4}-\d\d)-(\d)(?!\d)/, '$1-0$2'],
  [/([Tt ])(\d:)/, '$10$2'],
  [/([Tt ]\d\d)(\d\d)(\d\d)(?![\d:])/, '$1:$2:$3'],
  // Digits after the nanoseconds. With them, the text may exceed the maximum length of a date.
  [/([.,]\d{9})\d+/, '$1'],
]

/** The dates of mail, HTTP and PHP: an English month, and an offset, without which they are ambiguous. */
const monthNamePattern =
  /^(?:[A-Z][a-z]{2}, )?\d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|[+-]\d{4})$/

/** A date in another notation in one that the API accepts; any other text as it is. */
const convertedNotation = (text: string): string => {
  if (!monthNamePattern.test(text))
    return replacements.reduce((date, [pattern, replacement]) => date.replace(pattern, replacement), text)
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date.toISOString().replace('.000', '')
}

/** The maximum length of a text that is corrected. A date with the name of its time zone fits. */
const MAX_CHARACTERS = 80

const textCorrection = (text: string): string => {
  if (text.length > MAX_CHARACTERS) return ''
  if (hasDateForm(text) && parseDate(text) === undefined) return '; there is no such day or time'
  const date = convertedNotation(text.trim())
  return parseDate(date) === undefined ? '' : `; write "${date}"`
}

const SECONDS_REFUSED = '; seconds are not accepted'

/** Numbers from this on count milliseconds: as seconds, they would be dates after the year 5138. */
const FIRST_MILLISECONDS = 1e11
/** Smaller numbers are not corrected: as seconds, they are dates within about three years of 1970. */
const FIRST_PLAUSIBLE = 1e8

/** The correction of seconds or milliseconds since the epoch. */
const numberCorrection = (number: number): string => {
  const size = Math.abs(number)
  const date = new Date(size < FIRST_MILLISECONDS ? number * 1_000 : number)
  if (size < FIRST_PLAUSIBLE || Number.isNaN(date.getTime())) return SECONDS_REFUSED
  const text = date.toISOString().replace(/\.\d+/, '')
  return parseDate(text) === undefined ? SECONDS_REFUSED : `${SECONDS_REFUSED}, write "${text}"`
}

/**
 * The correction of a value that should be a date, for the end of an error's detail: the same time in a
 * notation that the API accepts, or that there is no such day or time. Empty for a value that does not
 * resemble a date.
 */
export const dateCorrection = (value: unknown): string => {
  if (typeof value === 'number') return numberCorrection(value)
  if (typeof value !== 'string') return ''
  const isEpoch = /^\d{9,}$/.test(value)
  return isEpoch ? numberCorrection(Number(value)) : textCorrection(value)
}
