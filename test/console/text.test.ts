import currencyCodes from 'currency-codes'
import fc from 'fast-check'
import { csv } from '../../console/text/csv.ts'
import {
  beginning,
  changeFrom,
  clock,
  counted,
  day,
  decimal,
  isoDayIn,
  money,
  period,
  plainName,
  recurrence,
  time,
} from '../../console/text/format.ts'
import { currencies } from '../../shared/money/currencies.ts'
import { minorUnitDigits } from '../../shared/money/minor-units.ts'

/** An amount without the currency's symbol, such as "Cg.". */
const shown = (amount: number, currency: string) => money(amount, currency).replace(/\p{L}+\.|[^\d.,-]/gu, '')

describe('amounts', () => {
  it('have the digits of ISO 4217 for every currency of the API', () => {
    const wrong = [...currencies].filter((code) => {
      const known = currencyCodes.code(code)
      return known && known.digits !== minorUnitDigits(code)
    })
    expect(wrong).toEqual([])
  })

  it.each([
    [123456, 'EUR', '1,234.56'],
    [-5, 'USD', '-0.05'],
    [4800, 'JPY', '4,800'],
    [1, 'KWD', '0.001'],
    // Withdrawn, with and without a smaller unit.
    [1999, 'DEM', '19.99'],
    [4800, 'ITL', '4,800'],
    // Whose fillér or sen Intl leaves out.
    [123456, 'HUF', '1,234.56'],
    [123456, 'IDR', '1,234.56'],
    [Number.MAX_SAFE_INTEGER, 'EUR', '90,071,992,547,409.91'],
  ])('%i of %s is %s', (amount, currency, expected) => expect(shown(amount, currency)).toBe(expected))

  it('lose nothing, whatever their size, on the page and in CSV', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...currencies), (amount, currency) => {
        const exact = decimal(amount, currency)
        expect(exact).toMatch(/^-?\d+(\.\d+)?$/)
        for (const text of [shown(amount, currency), exact]) {
          expect(text.split('.')[1]?.length ?? 0).toBe(minorUnitDigits(currency))
          expect(Number(BigInt(text.replace(/[.,]/g, '')))).toBe(amount)
        }
      }),
    )
    expect(csv(['A', 'B'], [[{ amount: -5, currency: 'EUR' }, null]])).toBe('A,B\r\n-0.05,\r\n')
  })
})

it.each([
  [150, 100, '▲ 50%'],
  [50, 100, '▼ 50%'],
  [100, 100, '= 0%'],
  [-50, 100, '▼ 150%'],
  // Of nothing, or of less, there is no share.
  [50, 0, undefined],
  [50, -100, undefined],
  [-200, -100, undefined],
])('an amount of %i has changed from %i by %s', (now, then, expected) =>
  expect(changeFrom(then, now)).toBe(expected),
)

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
  ])('%s in %s is %s: midnight is a day', (text, timeZone, expected) => {
    expect(time(Date.parse(text) / 1000, timeZone).replace('\u202f', ' ')).toBe(expected)
  })

  it('have their day, their clock and their period in the time zone', () => {
    const seconds = Date.UTC(2026, 9, 31, 23, 30) / 1000
    expect(day(seconds, 'Europe/Berlin')).toBe('Nov 1, 2026')
    expect(isoDayIn('Europe/Berlin')(seconds)).toBe('2026-11-01')
    expect(clock(seconds, 'Asia/Kolkata')).toMatch(/^5:00\sAM$/)
    expect(period(seconds, seconds + 30 * 86_400, 'Europe/Berlin')).toMatch(/^Nov 1\s–\sDec 1, 2026$/)
  })
})

it('names of fields are words, and long texts end', () => {
  const named = ['customer_id', 'period_start', 'id', 'external_id'].map(plainName)
  expect(named).toEqual(['Customer', 'Period start', 'Id', 'Your id'])
  expect([beginning('short', 5), beginning('a'.repeat(10_000), 5)]).toEqual(['short', 'aaaa…'])
})

it.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A:A)', "'@SUM(A:A)"],
  ['-2', "'-2"],
  ['\t=1', "'\t'=1"],
  ['\n=1', `"'\n'=1"`],
  ['＝1', "'＝1"],
  ["Ann;=cmd|' /C calc'!A0;", "Ann;'=cmd|' /C calc'!A0;"],
  ['Ann; Bob-Cy', 'Ann; Bob-Cy'],
  ['a,b', '"a,b"'],
  ['say "hi"\nthere', '"say ""hi""\nthere"'],
  ['Ann', 'Ann'],
])('CSV has the text %j as %j', (text, expected) => expect(csv([], [[text]])).toBe(`\r\n${expected}\r\n`))

it('words agree with their numbers', () => {
  const counts = [1, 0, 1234].map((count) => counted(count, 'invoice'))
  expect(counts).toEqual(['1 invoice', '0 invoices', '1,234 invoices'])
  const recurrences = [recurrence('month', 1), recurrence('year', null), recurrence('week', 2)]
  expect(recurrences).toEqual(['monthly', 'yearly', 'every 2 weeks'])
  const [start, end] = [Date.UTC(2026, 10, 17) / 1000, Date.UTC(2026, 11, 17) / 1000]
  expect([period(start, end, 'UTC'), period(start, start, 'UTC')]).toEqual([
    expect.stringMatching(/^Nov 17\s–\sDec 17, 2026$/),
    'Nov 17, 2026',
  ])
})
