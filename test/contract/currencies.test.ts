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

  // test/support/values.ts has texts that are none.
  it.each(['', 'ınr', 'constructor'])('do not include "%s"', (code) => {
    expect(isCurrency(code)).toBe(false)
  })
})
