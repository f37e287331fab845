import currencyCodes from 'currency-codes'
import fc from 'fast-check'
import { csv } from '../../console/text/csv.ts'
import { containing, fold } from '../../console/text/fold.ts'
import {
  beginning,
  changeFrom,
  counted,
  decimal,
  money,
  number,
  percentText,
  plainAmount,
  plainName,
  recurrence,
  signedMoney,
} from '../../console/text/format.ts'
import { currencies } from '../../shared/money/currencies.ts'
import { minorUnitDigits } from '../../shared/money/minor-units.ts'

/** Returns an amount as the console shows it, without the currency's symbol, such as "$" or "Cg.". */
const shownDigits = (amount: number, currency: string) =>
  money(amount, currency)
    .replace('−', '-')
    .replace(/\p{L}+\.|[^\d.,-]/gu, '')

describe('amounts', () => {
  it('have the digits of ISO 4217 for every currency of the API', () => {
    const wrong = [...currencies].filter((code) => {
      const listed = currencyCodes.code(code)
      return listed && listed.digits !== minorUnitDigits(code)
    })
    expect(wrong).toEqual([])
  })

  it.each([
    [123456, 'EUR', '1,234.56'],
    [-5, 'USD', '-0.05'],
    [4800, 'JPY', '4,800'],
    [1, 'KWD', '0.001'],
    // Withdrawn currencies, with and without a smaller unit.
    [1999, 'DEM', '19.99'],
    [4800, 'ITL', '4,800'],
    // Currencies whose smaller unit, fillér or sen, Intl leaves out.
    [123456, 'HUF', '1,234.56'],
    [123456, 'IDR', '1,234.56'],
    [Number.MAX_SAFE_INTEGER, 'EUR', '90,071,992,547,409.91'],
  ])('have the digits of the currency: %i of %s is %s', (amount, currency, expected) => {
    expect(shownDigits(amount, currency)).toBe(expected)
  })

  it('have a minus instead of a hyphen, a change has its sign, and a column of one currency has no symbol', () => {
    expect(money(-24_322, 'EUR')).toBe('−€243.22')
    expect([7000, -2900, 0].map((amount) => signedMoney(amount, 'EUR'))).toEqual([
      '+€70.00',
      '−€29.00',
      '€0.00',
    ])
    expect(['EUR', 'JPY', 'CHF'].map((currency) => plainAmount(-123_456, currency))).toEqual([
      '−1,234.56',
      '−123,456',
      '−1,234.56',
    ])
    expect([number(-5), percentText(-0.25)]).toEqual(['−5', '−25%'])
  })

  it('are exact, whatever their size, on the page and in CSV', () => {
    const expectExact = (text: string, amount: number, currency: string) => {
      expect(text.split('.')[1]?.length ?? 0).toBe(minorUnitDigits(currency))
      expect(Number(BigInt(text.replace(/[.,]/g, '')))).toBe(amount)
    }
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...currencies), (amount, currency) => {
        expectExact(shownDigits(amount, currency), amount, currency)
        expectExact(decimal(amount, currency), amount, currency)
        expect(decimal(amount, currency)).toMatch(/^-?\d+(\.\d+)?$/)
      }),
    )
  })

  it('are cells of CSV without separators, and null is an empty cell', () => {
    const table = csv({ columns: ['A', 'B'], rows: [[{ amount: -500_000, currency: 'EUR' }, null]] }, 'point')
    expect(table).toBe('A,B\r\n-5000.00,\r\n')
  })
})

it.each([
  [150, 100, '▲\u00A050%'],
  [50, 100, '▼\u00A050%'],
  [100, 100, '=\u00A00%'],
  [-50, 100, '▼\u00A0150%'],
  // A change from 0 or a negative amount has no percentage.
  [50, 0, undefined],
  [50, -100, undefined],
  [-200, -100, undefined],
])('an amount of %i has changed from %i by %s', (now, then, expected) =>
  expect(changeFrom(then, now)).toBe(expected),
)

it.each([
  ['customer_id', 'Customer'],
  ['period_start', 'Period start'],
  ['id', 'Id'],
  ['external_id', 'Your id'],
])('the label of the field %s is "%s"', (field, label) => expect(plainName(field)).toBe(label))

it('a text that is too long is cut and ends with an ellipsis', () => {
  expect(beginning('short', 5)).toBe('short')
  expect(beginning('a'.repeat(10_000), 5)).toBe('aaaa…')
})

it.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A:A)', "'@SUM(A:A)"],
  ['-2', "'-2"],
  ['\t=1', "'\t'=1"],
  ['\n=1', `"'\n'=1"`],
  ['＝1', "'＝1"],
  ["Ann;=cmd|' /C calc'!A0;", `"Ann;'=cmd|' /C calc'!A0;"`],
  ['Ann; Bob-Cy', '"Ann; Bob-Cy"'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['say "hi"\nthere', '"say ""hi""\nthere"'],
  ['a\rb', '"a\rb"'],
  ['Ann', 'Ann'],
])('the text %j is the cell %j in CSV', (text, cell) =>
  expect(csv({ columns: [], rows: [[text]] }, 'point')).toBe(`\r\n${cell}\r\n`),
)

it('CSV with semicolons has decimal commas in amounts and numbers, and leaves texts as they are', () => {
  const cells = [
    { amount: -123_456, currency: 'EUR' },
    19.5,
    { amount: 4800, currency: 'JPY' },
    '1.5',
    'a;b',
    null,
  ]
  expect(csv({ columns: [], rows: [cells] }, 'comma')).toBe('\r\n-1234,56;19,5;4800;1.5;"a;b";\r\n')
})

it('a counted noun is singular for 1', () => {
  expect(counted(1, 'invoice')).toBe('1 invoice')
  expect(counted(0, 'invoice')).toBe('0 invoices')
  expect(counted(1234, 'invoice')).toBe('1,234 invoices')
})

it('a recurrence is an adverb for one interval', () => {
  expect(recurrence('month', 1)).toBe('monthly')
  expect(recurrence('year', null)).toBe('yearly')
  expect(recurrence('week', 2)).toBe('every 2 weeks')
})

it.each([
  ['customer 9', 'Customer 9', true],
  ['customer 9', 'customer-90', true],
  ['customer 9', 'Customer 8, $49.00', false],
  ['- 9', 'a - 9', true],
  ['9', '19', false],
  ['muller', 'Müller', true],
  ['no tax', 'Nova, tax', false],
  ['no tax', 'No tax, Nova', true],
  ['no ta', 'no taxes', true],
  ['tax no', 'tax, Nova', true],
  ['ova', 'Nova', false],
  ['ann example.org', 'ann@example.org', true],
  ['京', '東京', true],
  ['иван', 'Иван Петров', true],
])('reports whether the typed %j is in the text %j: %s', (typed, text, expected) => {
  expect(containing(typed)(fold(text))).toBe(expected)
})

// A search in quadratic time would take minutes for this many characters.
const many = 200_000
it.each([
  ['a number after a dash, in dashes', '- 9', '-'.repeat(many)],
  ['a number after a word, before dashes', 'customer 9', `customer${'-'.repeat(many)}`],
  ['many digits before a letter', `${'1'.repeat(many)}x`, 'customer 1'],
])('searches in linear time for %s', (_, typed, text) => {
  expect(containing(typed)(fold(text))).toBe(false)
})
