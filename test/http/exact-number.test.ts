import fc from 'fast-check'
import { isExact, isShort } from '../../shared/http/exact-number.ts'
import { runs } from '../support/runs.ts'

describe('whether a double holds a number', () => {
  it.each([
    '0',
    '-0',
    '1.5',
    '1.50000000000000000000',
    '100000000000000000000000',
    '0.000000000000000000000015',
    '0.0000000000000000',
    '-0.0000000000000000',
    '0e99999',
    '1.0000000000000000E+2',
    '12.500000000000000e-3',
    '-1.0000000000000000',
    '1.7976931348623157e308',
    '17976931348623157e292',
    '5e-324',
    '9007199254740992.000',
    '100200300400500.00000',
  ])('%s: to its last digit', (number) => {
    expect(isExact(number)).toBe(true)
  })

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '0.12345678901234567891',
    '1.00000000000000000001',
    '10000000000000000000001',
    '1e309',
    '-1e309',
    '1e-400',
    '1.7976931348623158e308',
    '4.9406564584124654e-325',
  ])('%s: not', (number) => {
    expect(isExact(number)).toBe(false)
  })

  it('holds what a writer of doubles has written, with more zeros and in any form', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(double, fc.nat(20), (value, zeros) => {
        expect(isExact(String(value))).toBe(true)
        expect(isExact(value.toExponential())).toBe(true)
        const [digits = '', exponent = '0'] = value.toExponential().split('e')
        const longer = `${digits}${digits.includes('.') ? '' : '.0'}${'0'.repeat(zeros)}`
        expect(isExact(`${longer}E${exponent}`)).toBe(true)
      }),
      { numRuns: runs(200, 10_000) },
    )
  })
})

describe('whether a number is so short that it needs no look', () => {
  it.each([
    ['123456789012345', true],
    ['1234567890123456', false],
    ['12345678901.345', true],
    ['12345678901.3456', false],
    ['1e99', true],
    ['1E99', true],
    ['1e100', false],
    ['1E100', false],
    ['1e+9', true],
    ['1e-99', false],
    ['123456789012345e99', true],
    ['123456789012345E99', true],
    ['1234567890123456e1', false],
  ])('%s: %p', (number, short) => {
    expect(isShort(number, 0, number.length)).toBe(short)
    const within = `[${number},1]`
    expect(isShort(within, 1, 1 + number.length)).toBe(short)
  })
})
