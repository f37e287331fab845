import fc from 'fast-check'
import { isExact, isShort } from '../../shared/http/exact-number.ts'
import { runs } from '../support/runs.ts'

it.each([
  '-0.0',
  '0e99999',
  '0.1',
  '1.0000000000000000E+2',
  '5e-324',
  '9007199254740992.000',
  `${2n ** 60n * 10n ** 10n}`,
  `${2n ** 1023n}`,
])('a double represents %s exactly', (number) => {
  expect(isExact(number)).toBe(true)
})

it.each(['9007199254740993', '1e309', '1e-400', '0.12345678901234567891', `${2n ** 1024n}`])(
  'a double does not represent %s exactly',
  (number) => {
    expect(isExact(number)).toBe(false)
  },
)

/** A fraction of integers, not reduced. */
type Fraction = readonly [numerator: bigint, denominator: bigint]

const fractionOf = (decimal: string): Fraction => {
  const [digits = '', exponent = '0'] = decimal.split(/e/i)
  const [whole = '', places = ''] = digits.split('.')
  const power = Number(exponent) - places.length
  const [integer, ten] = [BigInt(whole + places), 10n ** BigInt(Math.abs(power))]
  return power < 0 ? [integer, ten] : [integer * ten, 1n]
}

/** Returns the exact value of a double from its bits. */
const fractionIn = (double: number): Fraction => {
  const bits = new DataView(new Float64Array([double]).buffer).getBigUint64(0, true)
  const [biased, low] = [(bits >> 52n) & 0x7ffn, bits & (2n ** 52n - 1n)]
  const [mantissa, power] = biased === 0n ? [low, -1074n] : [low + 2n ** 52n, biased - 1075n]
  const signed = bits >> 63n ? -mantissa : mantissa
  return power < 0n ? [signed, 2n ** -power] : [signed * 2n ** power, 1n]
}

const equal = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d === c * b

/** Returns all digits of a double, unrounded. */
const inFull = (double: number): string => {
  const [numerator, denominator] = fractionIn(Math.abs(double))
  let [digits, places] = [numerator, 0]
  while (digits % denominator !== 0n) [digits, places] = [digits * 10n, places + 1]
  const text = `${digits / denominator}`.padStart(places + 1, '0')
  const whole = text.slice(0, text.length - places)
  return `${double < 0 ? '-' : ''}${whole}${places > 0 ? `.${text.slice(-places)}` : ''}`
}

const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: -1e25, max: 1e25 }),
  fc.tuple(fc.maxSafeInteger(), fc.integer({ min: -60, max: 60 })).map(([m, power]) => m * 2 ** power),
)
const text = double.chain((value) =>
  fc.oneof(
    fc.constantFrom(inFull(value), String(value)),
    fc.integer({ min: 1, max: 110 }).map((digits) => value.toExponential(Math.min(digits, 100))),
    // Changes the last digit.
    fc.integer({ min: 0, max: 9 }).map((digit) => `${inFull(value).slice(0, -1)}${digit}`),
    fc.tuple(fc.nat(40), fc.integer({ min: -40, max: 40 })).map(([zeros, power]) => {
      const full = inFull(value)
      return `${full}${full.includes('.') ? '' : '.0'}${'0'.repeat(zeros)}e${power}`
    }),
  ),
)

it('the check whether a double represents a number agrees with exact fractions', () => {
  const found = { kept: 0, rounded: 0 }
  fc.assert(
    fc.property(text, (number) => {
      const value = Number(number)
      const isKept =
        Number.isFinite(value) &&
        (equal(fractionOf(number), fractionIn(value)) || equal(fractionOf(number), fractionOf(`${value}`)))
      expect({ number, isExact: isExact(number) }).toEqual({ number, isExact: isKept })
      found[isKept ? 'kept' : 'rounded'] += 1
    }),
    { numRuns: runs(600, 100_000) },
  )
  expect(Math.min(found.kept, found.rounded)).toBeGreaterThan(50)
})

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
])('whether %s is short enough to skip the check: %p', (number, short) => {
  expect(isShort(number, 0, number.length)).toBe(short)
  const within = `[${number},1]`
  expect(isShort(within, 1, 1 + number.length)).toBe(short)
})
