import { clock, day, isoDayIn, period, time } from '../../console/text/dates.ts'

/** Dates in time zones, and in the language of the browser, which the modules that write them read when they are loaded. */

type Dates = typeof import('../../console/text/dates.ts')
type Format = typeof import('../../console/text/format.ts')

/** Returns the functions that write dates and numbers in a browser with some languages, the preferred one first. */
const formatsIn = (...languages: string[]): Dates & Format => {
  let formats: (Dates & Format) | undefined
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  Object.defineProperty(globalThis, 'navigator', { value: { languages }, configurable: true })
  jest.isolateModules(() => {
    formats = { ...require('../../console/text/dates.ts'), ...require('../../console/text/format.ts') }
  })
  if (before) Object.defineProperty(globalThis, 'navigator', before)
  return formats!
}

describe('dates', () => {
  it.each([
    ['2026-02-01T00:00:00Z', 'UTC', 'Feb 1, 2026'],
    ['2026-02-01T09:30:00Z', 'UTC', 'Feb 1, 2026, 9:30 AM'],
    ['2026-10-31T23:00:00Z', 'Europe/Berlin', 'Nov 1, 2026'],
    ['2026-10-31T23:30:00Z', 'Europe/Berlin', 'Nov 1, 2026, 12:30 AM'],
    ['2026-10-31T23:30:00Z', 'America/New_York', 'Oct 31, 2026, 7:30 PM'],
    // In summer, midnight in Berlin is an hour earlier in UTC.
    ['2026-06-30T22:00:00Z', 'Europe/Berlin', 'Jul 1, 2026'],
    ['2026-06-30T18:30:00Z', 'Asia/Kolkata', 'Jul 1, 2026'],
  ])('are shown in a time zone, without the time at midnight: %s in %s is %s', (text, timeZone, expected) => {
    expect(time(Date.parse(text) / 1000, timeZone).replace('\u202f', ' ')).toBe(expected)
  })

  it('have a day, a time of day and a period in a time zone', () => {
    const seconds = Date.UTC(2026, 9, 31, 23, 30) / 1000
    expect(day(seconds, 'Europe/Berlin')).toBe('Nov 1, 2026')
    expect(isoDayIn('Europe/Berlin')(seconds)).toBe('2026-11-01')
    expect(clock(seconds, 'Asia/Kolkata')).toMatch(/^5:00\sAM$/)
    expect(period(seconds, seconds + 30 * 86_400, 'Europe/Berlin')).toMatch(/^Nov 1\s–\sDec 1, 2026$/)
  })
})

it('a period without length is a date', () => {
  const start = Date.UTC(2026, 10, 17) / 1000
  const end = Date.UTC(2026, 11, 17) / 1000
  expect(period(start, end, 'UTC')).toMatch(/^Nov 17\s–\sDec 17, 2026$/)
  expect(period(start, start, 'UTC')).toBe('Nov 17, 2026')
})

const NOVEMBER = (2026 - 1970) * 12 + 10
const seconds = Date.UTC(2026, 9, 31, 23, 30) / 1000

it.each([
  ['en-US', 'Nov 1, 2026', '12:30 AM', 'Nov 2026'],
  ['en-GB', '1 Nov 2026', '00:30', 'Nov 2026'],
  ['de-DE', '01.11.2026', '00:30', 'Nov. 2026'],
  ['fr-FR', '1 nov. 2026', '00:30', 'nov. 2026'],
  ['ja-JP', '2026/11/01', '0:30', '2026年11月'],
])('in a browser in %s, dates are "%s", "%s" and "%s"', (language, date, hour, month) => {
  const { day, clock, monthText, money } = formatsIn(language)
  expect(day(seconds, 'Europe/Berlin')).toBe(date)
  expect(clock(seconds, 'Europe/Berlin').replace('\u202f', ' ')).toBe(hour)
  expect(monthText(NOVEMBER)).toBe(month)
  // Amounts are in English, like the page, and like the amounts that a filter understands.
  expect(money(123_456, 'EUR')).toBe('€1,234.56')
})

it.each(['th-TH', 'fa-IR-u-nu-latn'])(
  'in a browser in %s, which has another calendar by default, dates are in the calendar of the figures',
  (language) => {
    const { day, monthText } = formatsIn(language)
    expect(day(seconds, 'Europe/Berlin')).toContain('2026')
    expect(monthText(NOVEMBER)).toContain('2026')
  },
)

it.each([
  ['is not a language', ['C', 'fr-FR']],
  ['has no date format', ['xx-XX', 'fr-FR']],
])('in a browser whose first language %s, dates are in the second', (_, languages) => {
  expect(formatsIn(...languages).monthText(NOVEMBER)).toBe('nov. 2026')
})

it('in a browser without a language, dates can be read', () => {
  expect(formatsIn('C').monthText(NOVEMBER)).toContain('2026')
})
