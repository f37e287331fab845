import { calendarOf } from '../../client/analytics/lines/calendar.ts'
import { clock, day, isoDayIn, period, time } from '../../console/text/dates.ts'
import {
  boundsOf,
  dateInSpan,
  monthsAround,
  monthsParameter,
  timeSpanFrom,
  timeSpanLabel,
} from '../../console/text/time-span.ts'

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

describe('the time span in an address', () => {
  const seconds = (text: string): number => Date.parse(text) / 1000
  /** Monday 15 June 2026, at noon. */
  const NOW = seconds('2026-06-15T12:00:00Z')

  it.each([
    ['2026-10', '2026-10-01', '2026-11-01', 'Oct 2026'],
    ['2026-12', '2026-12-01', '2027-01-01', 'Dec 2026'],
    ['2026-Q1', '2026-01-01', '2026-04-01', 'Q1 2026'],
    ['2026-Q4', '2026-10-01', '2027-01-01', 'Q4 2026'],
    ['2024', '2024-01-01', '2025-01-01', '2024'],
    ['2026-02-27..2026-03-01', '2026-02-27', '2026-03-02', '27 Feb – 1 Mar 2026'],
    ['2026-02-28..2026-02-28', '2026-02-28', '2026-03-01', '28 Feb 2026'],
    ['week', '2026-06-15', '2026-06-22', 'This week'],
  ])('%s is from %s until just before %s, and is shown as "%s"', (text, start, end, shown) => {
    const span = timeSpanFrom(text)!
    expect(boundsOf(span, NOW, calendarOf('UTC'))).toEqual({ start: seconds(start), end: seconds(end) })
    expect(timeSpanLabel(span).replaceAll(/[\u2009\u202f]/g, ' ')).toBe(shown)
  })

  it.each([
    ['', 'First invoice: any time'],
    ['week', 'First invoice this week'],
    ['2026-10', 'First invoice in Oct 2026'],
    ['2025', 'First invoice in 2025'],
    ['2026-02-28..2026-02-28', 'First invoice 28 Feb 2026'],
  ])('"%s" is shown with the date that it limits, as "%s"', (text, shown) =>
    expect(dateInSpan('First invoice', timeSpanFrom(text))).toBe(shown),
  )

  it.each([
    '',
    'x',
    '2026-13',
    '2026-00',
    '2026-Q5',
    '26',
    '2026-02-30..2026-03-01',
    '2026-03-02..2026-03-01',
    'month',
  ])('cannot be "%s"', (text) => expect(timeSpanFrom(text)).toBeUndefined())

  it('has months, weeks and days of a time zone', () => {
    const berlin = calendarOf('Europe/Berlin')
    expect(boundsOf(timeSpanFrom('2026-03')!, NOW, berlin)).toEqual({
      start: seconds('2026-02-28T23:00:00Z'),
      end: seconds('2026-03-31T22:00:00Z'),
    })
    // In Berlin, the clocks go forward on 29 March, and the day has 23 hours.
    expect(boundsOf(timeSpanFrom('2026-03-29..2026-03-29')!, NOW, berlin)).toEqual({
      start: seconds('2026-03-28T23:00:00Z'),
      end: seconds('2026-03-29T22:00:00Z'),
    })
    const lastSecondOfSunday = seconds('2026-06-14T21:59:59Z')
    expect(boundsOf('week', lastSecondOfSunday, berlin).end).toBe(lastSecondOfSunday + 1)
  })

  it('is written as its text, also for the quarter and the year around a month', () => {
    const june = { first: 677, count: 1 } as const
    expect(monthsParameter(june)).toBe('2026-06')
    expect(monthsParameter(monthsAround(677, 3))).toBe('2026-Q2')
    expect(monthsParameter(monthsAround(677, 12))).toBe('2026')
  })

  it.each([
    ['2026-06', { first: 677, count: 1 }],
    ['2026-Q2', { first: 675, count: 3 }],
    ['2026', { first: 672, count: 12 }],
  ])('is read from the text %s', (text, span) => expect(timeSpanFrom(text)).toEqual(span))
})
