import { clock, day, isoDayIn, period, time } from '../../console/text/dates.ts'

/** Dates in time zones, and in English in a browser of any language, which the module that writes numbers reads when it is loaded. */

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
    ['2026-02-01T00:00:00Z', 'UTC', '1 Feb 2026'],
    ['2026-02-01T09:30:00Z', 'UTC', '1 Feb 2026, 09:30'],
    ['2026-10-31T23:00:00Z', 'Europe/Berlin', '1 Nov 2026'],
    ['2026-10-31T23:30:00Z', 'Europe/Berlin', '1 Nov 2026, 00:30'],
    ['2026-10-31T23:30:00Z', 'America/New_York', '31 Oct 2026, 19:30'],
    // In summer, midnight in Berlin is an hour earlier in UTC.
    ['2026-06-30T22:00:00Z', 'Europe/Berlin', '1 Jul 2026'],
    ['2026-06-30T18:30:00Z', 'Asia/Kolkata', '1 Jul 2026'],
  ])('are shown in a time zone, without the time at midnight: %s in %s is %s', (text, timeZone, expected) => {
    expect(time(Date.parse(text) / 1000, timeZone).replace('\u202f', ' ')).toBe(expected)
  })

  it('have a day, a time of day and a period in a time zone', () => {
    const seconds = Date.UTC(2026, 9, 31, 23, 30) / 1000
    expect(day(seconds, 'Europe/Berlin')).toBe('1 Nov 2026')
    expect(isoDayIn('Europe/Berlin')(seconds)).toBe('2026-11-01')
    expect(clock(seconds, 'Asia/Kolkata')).toBe('05:00')
    expect(period(seconds, seconds + 30 * 86_400, 'Europe/Berlin')).toMatch(/^1 Nov\s–\s1 Dec 2026$/)
  })
})

it('a period without length is a date', () => {
  const start = Date.UTC(2026, 10, 17) / 1000
  const end = Date.UTC(2026, 11, 17) / 1000
  expect(period(start, end, 'UTC')).toMatch(/^17 Nov\s–\s17 Dec 2026$/)
  expect(period(start, start, 'UTC')).toBe('17 Nov 2026')
})

const NOVEMBER = (2026 - 1970) * 12 + 10
const seconds = Date.UTC(2026, 9, 31, 23, 30) / 1000

it.each([['en-US'], ['de-DE'], ['ja-JP'], ['th-TH'], ['fa-IR-u-nu-latn'], ['C', 'fr-FR'], ['xx-XX'], []])(
  'in a browser in %s, dates and amounts are in English like the page',
  (...languages) => {
    const { day, clock, monthText, shortMonth, money } = formatsIn(...languages)
    expect(day(seconds, 'Europe/Berlin')).toBe('1 Nov 2026')
    expect(clock(seconds, 'Europe/Berlin')).toBe('00:30')
    expect(monthText(NOVEMBER)).toBe('Nov 2026')
    // On the axis of a plot, January has its year.
    expect([NOVEMBER, NOVEMBER + 2].map(shortMonth)).toEqual(['Nov', '2027'])
    expect(money(123_456, 'EUR')).toBe('€1,234.56')
  },
)
