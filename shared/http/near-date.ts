import { isDateForm, parseDate } from '../contract/dates.ts'

/** What makes a text of another notation a date: a pattern, and its replacement. */
const repairs: readonly [pattern: RegExp, replacement: string][] = [
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

/** Mail, HTTP and PHP write the name of the month, which only an English one with an offset does without doubt. */
const named = /^(?:[A-Z][a-z]{2}, )?\d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|[+-]\d{4})$/

const repaired = (text: string): string => {
  if (!named.test(text)) return repairs.reduce((date, [pattern, right]) => date.replace(pattern, right), text)
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date.toISOString().replace('.000', '')
}

/** The longest text in which a correction is sought: a moment with the name of its zone. */
const MAX_CHARACTERS = 80

/**
 * Returns what to write instead of a text that is almost a date, for the end of an error's detail: it has another notation
 * of the same moment, or names a day or time that does not exist. Empty for any other text.
 */
export const nearDate = (text: string): string => {
  if (text.length > MAX_CHARACTERS) return ''
  if (isDateForm(text) && parseDate(text) === undefined) return '; there is no such day or time'
  const date = repaired(text.trim())
  return parseDate(date) === undefined ? '' : `; write "${date}"`
}
