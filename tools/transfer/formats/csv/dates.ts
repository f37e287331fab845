import { hasDateForm, parseDate } from '../../../../shared/contract/dates.ts'
import type { Zone } from './zone.ts'

/** How dates are written, and how they become dates that the API accepts. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const FULL_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
/** The years that two digits stand for: 2000 to 2069. Others must have four digits. */
const LAST_SHORT_YEAR = 69

/** The parts of a form, in the order in which they are looked for. */
const patterns: Readonly<Record<string, string>> = {
  MMM: '(?<name>[A-Za-z]+)\\.?',
  MM: '(?<month>\\d{1,2})',
  M: '(?<month>\\d{1,2})',
  YYYY: '(?<year>\\d{4})',
  YY: '(?<shortYear>\\d{2})',
  DD: '(?<day>\\d{1,2})',
  D: '(?<day>\\d{1,2})',
}
const PART = /MMM|MM?|YYYY|YY|DD?/g
const SEPARATOR = /^[./ ,-]+$/

/** A form of dates, such as `DD.MM.YYYY`. */
export interface DateForm {
  readonly text: string
  /** Matches a date, and the time that may follow it. */
  readonly pattern: RegExp
}

const separatorPattern = (separator: string): string => {
  const signs = separator.replaceAll(' ', '')
  // Several countries write a space after the point.
  return signs === '' ? '\\s+' : `${signs.replaceAll('.', '\\.')}\\s?`
}

/** Returns the form in a text: a day, a month and a year with separators between them. Undefined for any other text. */
export const dateFormOf = (text: string): DateForm | undefined => {
  const parts = text.match(PART) ?? []
  const separators = text.split(PART)
  const inner = separators.slice(1, -1)
  const kinds = new Set(parts.map((part) => part[0]))
  const isComplete = parts.length === 3 && kinds.size === 3
  const hasEnds = separators[0] === '' && ['', '.'].includes(separators.at(-1)!)
  if (!isComplete || !hasEnds || !inner.every((each) => SEPARATOR.test(each))) return undefined
  const [first, second, third] = parts.map((part) => patterns[part]!)
  const [before, after] = inner.map(separatorPattern)
  const end = inner.some((each) => each.includes('.')) ? '\\.?' : ''
  return {
    text,
    pattern: new RegExp(`^${first}${before}${second}${after}${third}${end}(?<time>[T,\\s].*)?$`),
  }
}

const knownForm = (text: string): DateForm => dateFormOf(text)!

const orders = ['DD MM YYYY', 'MM DD YYYY', 'YYYY MM DD', 'YYYY DD MM']
const numericForms = orders.flatMap((order) =>
  ['.', '/', '-', ' '].map((separator) => order.replaceAll(' ', separator)),
)
const otherForms = [
  'MM/DD/YY',
  'DD/MM/YY',
  'DD.MM.YY',
  'DD-MM-YY',
  'D-MMM-YYYY',
  'D-MMM-YY',
  'D MMM YYYY',
  'MMM D, YYYY',
]

/** The forms that are suggested for a date that is written otherwise. */
export const usualForms: readonly DateForm[] = [...numericForms, ...otherForms].map(knownForm)

/** Returns the form with day and month in each other's place; undefined for one with names of months. */
export const swappedForm = (form: string): DateForm | undefined =>
  form.includes('MMM')
    ? undefined
    : dateFormOf(form.replace(/D+|M+/g, (part) => (part.startsWith('D') ? 'MM' : 'DD')))

const monthOf = (name: string): number => {
  const text = name.toLowerCase()
  const index = MONTHS.indexOf(text === 'sept' ? 'sep' : text)
  return (index === -1 ? FULL_MONTHS.indexOf(text) : index) + 1
}

const TIME =
  /^[T,\s]+(?<hour>\d{1,2})(?<rest>:\d\d(?::\d\d(?:[.,]\d+)?)?)\s?(?<half>[AaPp]\.?[Mm]\.?)?(?<zone>\D.*)?$/

/** Returns a time of day as ISO 8601 writes it after the day. Undefined for any other text. */
const timeIn = (text: string): string | undefined => {
  const { hour = '', rest = '', half, zone = '' } = TIME.exec(text)?.groups ?? {}
  if (hour === '') return undefined
  if (half === undefined) return `T${hour.padStart(2, '0')}${rest}${zone}`
  const number = Number(hour)
  if (number < 1 || number > 12) return undefined
  const isAfternoon = half.toLowerCase().startsWith('p')
  return `T${String((number % 12) + (isAfternoon ? 12 : 0)).padStart(2, '0')}${rest}${zone}`
}

/** Returns a date as the API accepts it. Undefined if there is no such day and time, or it is written in another way. */
export const dateIn = (cell: string, { pattern }: DateForm): string | undefined => {
  const { day = '', month, name, year, shortYear, time } = pattern.exec(cell)?.groups ?? {}
  if (Number(shortYear ?? 0) > LAST_SHORT_YEAR) return undefined
  const fullYear = year ?? `20${shortYear}`
  const monthNumber = name === undefined ? month : String(monthOf(name))
  const timeOfDay = time === undefined ? '' : timeIn(time)
  if (timeOfDay === undefined) return undefined
  const text = `${fullYear}-${(monthNumber ?? '').padStart(2, '0')}-${day.padStart(2, '0')}${timeOfDay}`
  return parseDate(text) === undefined ? undefined : text
}

const LOCAL = /^\d{4}-\d\d-\d\d(?<time>[T ].*)?$/i
const WITH_ZONE = /(?:Z|UTC|[+-]\d\d(?::?\d\d)?)$/i

/** Returns whether a date that the API accepts says no zone. */
export const isLocal = (date: string): boolean => {
  const { time } = LOCAL.exec(date)?.groups ?? {}
  return hasDateForm(date) && (time === undefined || !WITH_ZONE.test(time))
}

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

/**
 * Returns a date without a zone as the moment in `zone`: of a day, the first. Undefined if the time occurs there twice or not at
 * all.
 */
export const momentIn = (date: string, zone: Zone): string | undefined => {
  const local = parseDate(date)!
  if (date.length === 'YYYY-MM-DD'.length) return isoOf(zone.startOfDay(local))
  const moments = zone.momentsOf(local)
  return moments.length === 1 ? isoOf(moments[0]!) : undefined
}
