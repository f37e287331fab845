/** Dates in the language of the browser, which the modules that write them read when they are loaded. */

type Format = typeof import('../../console/text/format.ts')

/** Returns the functions that write dates in a browser with some languages, the preferred one first. */
const formatIn = (...languages: string[]): Format => {
  let format: Format | undefined
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  Object.defineProperty(globalThis, 'navigator', {
    value: { languages },
    configurable: true,
  })
  jest.isolateModules(() => {
    format = require('../../console/text/format.ts')
  })
  if (before) Object.defineProperty(globalThis, 'navigator', before)
  return format!
}

const NOVEMBER = (2026 - 1970) * 12 + 10
const seconds = Date.UTC(2026, 9, 31, 23, 30) / 1000

it.each([
  ['en-US', 'Nov 1, 2026', '12:30 AM', 'Nov 2026'],
  ['en-GB', '1 Nov 2026', '00:30', 'Nov 2026'],
  ['de-DE', '01.11.2026', '00:30', 'Nov. 2026'],
  ['fr-FR', '1 nov. 2026', '00:30', 'nov. 2026'],
  ['ja-JP', '2026/11/01', '0:30', '2026年11月'],
])('in a browser in %s, dates are "%s", "%s" and "%s"', (language, date, hour, month) => {
  const { day, clock, monthText, money } = formatIn(language)
  expect(day(seconds, 'Europe/Berlin')).toBe(date)
  expect(clock(seconds, 'Europe/Berlin').replace('\u202f', ' ')).toBe(hour)
  expect(monthText(NOVEMBER)).toBe(month)
  // Amounts are in English, like the page, and like the amounts that a filter understands.
  expect(money(123_456, 'EUR')).toBe('€1,234.56')
})

it.each(['th-TH', 'fa-IR-u-nu-latn'])(
  'in a browser in %s, whose usual calendar is another, months are those of the figures',
  (language) => {
    const { day, monthText } = formatIn(language)
    expect([day(seconds, 'Europe/Berlin'), monthText(NOVEMBER)]).toEqual([
      expect.stringContaining('2026'),
      expect.stringContaining('2026'),
    ])
  },
)

it.each([
  ['a system without a language', ['C', 'fr-FR']],
  ['a language that nobody writes dates in', ['xx-XX', 'fr-FR']],
])('in a browser of %s, dates are in the next one', (_, languages) => {
  expect(formatIn(...languages).monthText(NOVEMBER)).toBe('nov. 2026')
})

it('in a browser without a language, dates can be read', () => {
  expect(formatIn('C').monthText(NOVEMBER)).toContain('2026')
})
