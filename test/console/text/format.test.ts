import currencyCodes from 'currency-codes'
import fc from 'fast-check'
import { beginning, minorUnitDigits, money, time, words } from '../../../console/text/format.ts'
import { currencies } from '../../../shared/contract/currencies.ts'

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

  it('lose nothing, whatever their size', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...currencies), (amount, currency) => {
        const text = shown(amount, currency)
        expect(text.split('.')[1]?.length ?? 0).toBe(minorUnitDigits(currency))
        expect(Number(BigInt(text.replace(/[.,]/g, '')))).toBe(amount)
      }),
    )
  })
})

it('times are in UTC, and midnight is a day', () => {
  expect(time(Date.UTC(2026, 1, 1) / 1000)).toBe('Feb 1, 2026')
  expect(time(Date.UTC(2026, 1, 1, 9, 30) / 1000)).toMatch(/^Feb 1, 2026, 9:30\sAM$/)
})

it('names of fields are words, and long texts end', () => {
  expect(['customer_id', 'period_start', 'id', 'external_id'].map(words)).toEqual([
    'Customer',
    'Period start',
    'Id',
    'Your id',
  ])
  expect([beginning('short', 5), beginning('a'.repeat(10_000), 5)]).toEqual(['short', 'aaaa…'])
})
