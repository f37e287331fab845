import { codes } from 'currency-codes'
import { currencies, isCurrency } from '../../shared/contract/currencies.ts'

// The changes since the list of the package `currency-codes`, which is of 2024.
const added = ['XAD', 'XCG']
const withdrawn = ['ANG', 'BGN']

describe('currencies', () => {
  it('are the active codes of ISO 4217', () => {
    const active = new Set([...codes(), ...added].filter((code) => !withdrawn.includes(code)))
    expect([...currencies].sort()).toEqual([...active].sort())
  })

  it.each(['EUR', 'eur', 'Usd', 'jPY', ...added])('accepts %s in any case', (code) => {
    expect(isCurrency(code)).toBe(true)
  })

  it.each([...withdrawn, 'DEM', 'HRK', 'XYZ', 'EU', 'EURO', '', ' EUR', '978', 'ınr', 'uſd', 'constructor'])(
    'refuses "%s"',
    (code) => {
      expect(isCurrency(code)).toBe(false)
    },
  )
})
