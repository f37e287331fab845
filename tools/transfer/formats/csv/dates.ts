import { type Calendar, calendarOf, DAY, HOUR } from '../../../../client/analytics/lines/calendar.ts'
import { hasDateForm, parseDate } from '../../../../shared/contract/dates.ts'
import { UsageError } from '../../../cli/command.ts'
import { dateText } from '../../date-text.ts'

const monthNames =
  'january february march april may june july august september october november december'.split(' ')

/** From 1, by its English name or the name's first three letters; 0 for any other text. */
const monthNumber = (name: string): number => {
  const text = name.toLowerCase()
  const short = text === 'sept' ? 'sep' : text
  return monthNames.findIndex((month) => month === text || month.slice(0, 3) === short) + 1
}

/** The last year that two digits stand for: 2069. They stand for years from 2000. */
const LAST_SHORT_YEAR = 69

const partPatterns: Readonly<Record<string, string>> = {
  MMM: '(?<monthName>[A-Za-z]+)\\.?',
  MM: '(?<month>\\d{1,2})',
  M: '(?<month>\\d{1,2})',
  YYYY: '(?<year>\\d{4})',
  YY: '(?<shortYear>\\d{2})',
  DD: '(?<day>\\d{1,2})',
  D: '(?<day>\\d{1,2})',
}
const PART = /MMM|MM?|YYYY|YY|DD?/g
const SEPARATOR = /^[./ ,-]+$/

export interface DateForm {
  /** The form as the user writes it, such as `DD.MM.YYYY`. */
  readonly text: string
  /** Matches a date, and the time that may follow it. */
  readonly pattern: RegExp
}

const separatorPattern = (separator: string): string => {
  const signs = separator.replaceAll(' ', '')
  // In several countries, a space follows the point.
  return signs === '' ? '\\s+' : `${signs.replaceAll('.', '\\.')}\\s?`
}

/** The form in a text: a day, a month and a year in any order, with separators between them. */
export const dateFormOf = (text: string): DateForm | undefined => {
  const parts = text.match(PART) ?? []
  // Parts of the same kind have the same first letter.
  const kinds = new Set(parts.map((part) => part[0]))
  const hasAllParts = parts.length === 3 && kinds.size === 3
  const [start = '', ...separators] = text.split(PART)
  const end = separators.pop() ?? ''
  const isValid =
    hasAllParts &&
    start === '' &&
    (end === '' || end === '.') &&
    separators.every((separator) => SEPARATOR.test(separator))
  if (!isValid) return undefined
  const [first, second, third] = parts.map((part) => partPatterns[part]!)
  const [firstSeparator, secondSeparator] = separators.map(separatorPattern)
  // In some languages, a point also follows the last part, as in "31. 1. 2024."
  const point = separators.some((separator) => separator.includes('.')) ? '\\.?' : ''
  return {
    text,
    pattern: new RegExp(
      `^${first}${firstSeparator}${second}${secondSeparator}${third}${point}(?<time>[T,\\s].*)?$`,
    ),
  }
}

const numericOrders = ['DD MM YYYY', 'MM DD YYYY', 'YYYY MM DD', 'YYYY DD MM']
const numericForms = numericOrders.flatMap((order) =>
  ['.', '/', '-', ' '].map((separator) => order.replaceAll(' ', separator)),
)
const shortYearForms = ['MM/DD/YY', 'DD/MM/YY', 'DD.MM.YY', 'DD-MM-YY']
const monthNameForms = ['D-MMM-YYYY', 'D-MMM-YY', 'D MMM YYYY', 'MMM D, YYYY']

/** The forms that are suggested for a date in another form. */
export const commonDateForms: readonly DateForm[] = [
  ...numericForms,
  ...shortYearForms,
  ...monthNameForms,
].flatMap((text) => dateFormOf(text) ?? [])

/** With day and month in each other's place; undefined for a form with the name of the month. */
export const swappedForm = (form: string): DateForm | undefined => {
  if (form.includes('MMM')) return undefined
  return dateFormOf(form.replace(/D+|M+/g, (part) => (part.startsWith('D') ? 'MM' : 'DD')))
}

/** The last day of January 2024. */
export const exampleOf = (form: string): string =>
  form
    .replace('MMM', 'Jan')
    .replace(/MM?/, '01')
    .replace('YYYY', '2024')
    .replace('YY', '24')
    .replace(/DD?/, '31')

const TIME =
  /^[T,\s]+(?<hour>\d{1,2})(?<separator>[:.])(?<minute>\d\d)(?:\k<separator>(?<second>\d\d(?:[.,]\d+)?))?\s?(?<half>[AaPp]\.?[Mm]\.?)?(?<zone>\D.*)?$/

/** As it follows the day in ISO 8601. */
const convertTime = (text: string): string | undefined => {
  const groups = TIME.exec(text)?.groups
  if (!groups) return undefined
  const { hour = '', minute, second, half, zone = '' } = groups
  const minuteAndSecond = second === undefined ? minute : `${minute}:${second}`
  if (half === undefined) return `T${hour.padStart(2, '0')}:${minuteAndSecond}${zone}`
  const number = Number(hour)
  if (number < 1 || number > 12) return undefined
  const isAfternoon = half.toLowerCase().startsWith('p')
  const hourOfDay = (number % 12) + (isAfternoon ? 12 : 0)
  return `T${String(hourOfDay).padStart(2, '0')}:${minuteAndSecond}${zone}`
}

/** As the API accepts it; undefined if it has another form, or there is no such day or time. */
export const convertDate = (cell: string, { pattern }: DateForm): string | undefined => {
  const groups = pattern.exec(cell)?.groups
  if (!groups) return undefined
  const { day = '', month = '', monthName, year, shortYear, time } = groups
  if (shortYear !== undefined && Number(shortYear) > LAST_SHORT_YEAR) return undefined
  const fullYear = year ?? `20${shortYear}`
  const monthDigits = monthName === undefined ? month : String(monthNumber(monthName))
  const timeOfDay = time === undefined ? '' : convertTime(time)
  if (timeOfDay === undefined) return undefined
  const text = `${fullYear}-${monthDigits.padStart(2, '0')}-${day.padStart(2, '0')}${timeOfDay}`
  return parseDate(text) === undefined ? undefined : text
}

const hasTime = (date: string): boolean => date.length > 'YYYY-MM-DD'.length
const WITH_ZONE = /(?:Z|UTC|[+-]\d\d(?::?\d\d)?)$/i

const withoutZone = (date: string): string => (hasTime(date) ? date.replace(WITH_ZONE, '').trimEnd() : date)

/** Whether a text is a date that the API accepts, without a time zone. */
export const isLocal = (date: string): boolean =>
  hasDateForm(date) && (!hasTime(date) || !WITH_ZONE.test(date))

/** Undefined for a value that is no date of the API. */
export const momentIn = (value: unknown): number | undefined =>
  typeof value === 'string' ? parseDate(value) : undefined

/** The local time at which a period ends whose last day, minute or second this is; undefined if it is none of them. */
export const nextAfter = (local: number): number | undefined => {
  if (local % DAY === 0) return local + DAY
  if (local % 60 === 59) return local + 1
  return local % HOUR === HOUR - 60 ? local + 60 : undefined
}

/**
 * Returns the first moment after a period that ends with a date, in the form of the date. Undefined if the date is not the last day,
 * minute or second of a period. A day at midnight is the whole day, because spreadsheets write days in this way.
 */
export const exclusiveEnd = (date: string): string | undefined => {
  const local = parseDate(withoutZone(date))
  const next = local === undefined ? undefined : nextAfter(local)
  if (local === undefined || next === undefined) return undefined
  if (!isLocal(date)) return dateText(parseDate(date)! + next - local)
  return new Date(next * 1_000).toISOString().slice(0, date.length === 'YYYY-MM-DD'.length ? 10 : 19)
}

/** By the name of their time zone. A calendar keeps offsets, since formatting is slow. */
const calendars = new Map<string, Calendar>()

/** Throws UsageError for an unknown time zone. */
export const calendarIn = (zone: string): Calendar => {
  try {
    const calendar = calendars.get(zone) ?? calendarOf(zone)
    calendars.set(zone, calendar)
    return calendar
  } catch (cause) {
    throw new UsageError(`--zone must be a time zone, such as America/New_York (got "${zone}")`, { cause })
  }
}

/**
 * Converts a date without a time zone from `zone` to UTC, as RFC 3339. A day becomes its first moment: where clocks skip midnight, that
 * at which they do. Undefined for a time that occurs in the zone twice or not at all.
 */
export const toUtc = (date: string, zone: string): string | undefined => {
  const local = parseDate(date)!
  const { localTime } = calendarIn(zone)
  const offsetAt = (moment: number): number => localTime(moment) - moment
  // If clocks change near that time, these are the moments with the offsets before and after the change.
  const [before, after] = [local - offsetAt(local - DAY), local - offsetAt(local + DAY)]
  const moments = [...new Set([before, after])].filter((moment) => localTime(moment) === local)
  if (!hasTime(date)) return dateText(Math.min(...(moments.length > 0 ? moments : [before])))
  return moments.length === 1 ? dateText(moments[0]!) : undefined
}
