import { isDateForm, parseDate } from '../contract/dates.ts'

/** Replacements that turn other notations of a date into one that the API accepts. */
const replacements: readonly [pattern: RegExp, replacement: string][] = [
  // The name of a zone after its offset, as Java and Go print it. It may contradict the offset.
  [/(\d\d:\d\d.* ?[+-]\d\d:?\d\d|Z)(?:\[.*\]| [A-Z]{2,5}| [+-]\d{2,4})$/, '$1'],
  [/^(\d{4})[/.](\d\d?)[/.](\d\d?)(?!\d)/, '$1-$2-$3'],
  [/^(\d{4})(\d\d)(\d\d)(?!\d)/, '$1-$2-$3'],
  [/^(\d{4})-(\d)(?!\d)/, '$1-0$2'],
  [/^(\d{4}-\d\d)-(\d)(?!\d)/, '$1-0$2'],
  [/([Tt ])(\d:)/, '$10$2'],
  [/([Tt ]\d\d)(\d\d)(\d\d)(?![\d:])/, '$1:$2:$3'],
  // The finest clock has nanoseconds; a longer fraction exceeds the length of a date.
  [/([.,]\d{9})\d+/, '$1'],
]

/** The dates of mail, HTTP and PHP: with an English name of the month, and an offset, without which they are ambiguous. */
const withMonthName =
  /^(?:[A-Z][a-z]{2}, )?\d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|[+-]\d{4})$/

const converted = (text: string): string => {
  if (!withMonthName.test(text))
    return replacements.reduce((date, [pattern, replacement]) => date.replace(pattern, replacement), text)
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date.toISOString().replace('.000', '')
}

/** Longer texts get no correction. A date with the name of its time zone fits. */
const MAX_CHARACTERS = 80

/**
 * Returns the correction of a text that is almost a date, for the end of an error's detail: the same time in a notation that
 * the API accepts, or that there is no such day or time. Empty for any other text.
 */
export const nearDate = (text: string): string => {
  if (text.length > MAX_CHARACTERS) return ''
  if (isDateForm(text) && parseDate(text) === undefined) return '; there is no such day or time'
  const date = converted(text.trim())
  return parseDate(date) === undefined ? '' : `; write "${date}"`
}
