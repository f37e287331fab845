import fc from 'fast-check'
import { csv } from '../../../console/text/csv.ts'
import { counted, decimal, minorUnitDigits, period, recurrence } from '../../../console/text/format.ts'

describe('CSV', () => {
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
  ])('has the text %j as %j', (text, expected) => expect(csv([], [[text]])).toBe(`\r\n${expected}\r\n`))

  it('has amounts as exact numbers, in every currency', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'), (amount, currency) => {
        const text = decimal(amount, currency)
        expect(text).toMatch(/^-?\d+(\.\d+)?$/)
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(amount))
        expect(text.split('.')[1]?.length ?? 0).toBe(minorUnitDigits(currency))
      }),
    )
    expect(csv(['A', 'B'], [[{ amount: -5, currency: 'EUR' }, null]])).toBe('A,B\r\n-0.05,\r\n')
  })
})

it('words agree with their numbers', () => {
  expect([counted(1, 'invoice'), counted(0, 'invoice'), counted(1234, 'invoice')]).toEqual([
    '1 invoice',
    '0 invoices',
    '1,234 invoices',
  ])
  expect([recurrence('month', 1), recurrence('year', null), recurrence('week', 2)]).toEqual([
    'monthly',
    'yearly',
    'every 2 weeks',
  ])
  const [start, end] = [Date.UTC(2026, 10, 17) / 1000, Date.UTC(2026, 11, 17) / 1000]
  expect([period(start, end), period(start, start)]).toEqual([
    expect.stringMatching(/^Nov 17\s–\sDec 17, 2026$/),
    'Nov 17, 2026',
  ])
})
