import fc from 'fast-check'
import { isExactNumber, isShortNumber } from '../../shared/http/validation/exact-json.ts'
import { runs } from '../support/runs.ts'

type Fraction = readonly [numerator: bigint, denominator: bigint]

const fractionOfDecimal = (decimal: string): Fraction => {
  const [digits = '', exponent = '0'] = decimal.split(/e/i)
  const [whole = '', places = ''] = digits.split('.')
  const integer = BigInt(whole + places)
  const power = Number(exponent) - places.length
  const powerOfTen = 10n ** BigInt(Math.abs(power))
  return power < 0 ? [integer, powerOfTen] : [integer * powerOfTen, 1n]
}

const fractionOfDouble = (double: number): Fraction => {
  const bits = new DataView(new Float64Array([double]).buffer).getBigUint64(0, true)
  const isNegative = bits >> 63n === 1n
  const exponentBits = (bits >> 52n) & 0x7ffn
  const fractionBits = bits & (2n ** 52n - 1n)
  // A subnormal number has no implicit leading bit.
  const isSubnormal = exponentBits === 0n
  const mantissa = isSubnormal ? fractionBits : fractionBits + 2n ** 52n
  const power = isSubnormal ? -1074n : exponentBits - 1075n
  const numerator = isNegative ? -mantissa : mantissa
  return power < 0n ? [numerator, 2n ** -power] : [numerator * 2n ** power, 1n]
}

const areEqual = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d === c * b

const inFull = (double: number): string => {
  const [numerator, denominator] = fractionOfDouble(Math.abs(double))
  let digits = numerator
  let places = 0
  while (digits % denominator !== 0n) {
    digits *= 10n
    places += 1
  }
  const text = `${digits / denominator}`.padStart(places + 1, '0')
  const whole = text.slice(0, text.length - places)
  return `${double < 0 ? '-' : ''}${whole}${places > 0 ? `.${text.slice(-places)}` : ''}`
}

/** Doubles of every size, and doubles that are integers times a power of two. */
const doubles = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: -1e25, max: 1e25 }),
  fc
    .tuple(fc.maxSafeInteger(), fc.integer({ min: -60, max: 60 }))
    .map(([integer, power]) => integer * 2 ** power),
)
/**
 * Numbers in the notations of JSON: doubles in full, rounded, with another last digit, and with zeros and a
 * power of ten.
 */
const decimals = doubles.chain((value) =>
  fc.oneof(
    fc.constantFrom(inFull(value), String(value)),
    fc.integer({ min: 1, max: 110 }).map((digits) => value.toExponential(Math.min(digits, 100))),
    fc.integer({ min: 0, max: 9 }).map((digit) => `${inFull(value).slice(0, -1)}${digit}`),
    fc.tuple(fc.nat(40), fc.integer({ min: -40, max: 40 })).map(([zeros, power]) => {
      const full = inFull(value)
      return `${full}${full.includes('.') ? '' : '.0'}${'0'.repeat(zeros)}e${power}`
    }),
  ),
)

const edgeCases = [
  ...['-0.0', '0e99999', '5e-324', '1e-400', '1e309', '9007199254740992.000', '9007199254740993'],
  ...[`${2n ** 60n * 10n ** 10n}`, `${2n ** 1023n}`, `${2n ** 1024n}`, '123456789012345e99', '1E999'],
]

const isHeldByDouble = (number: string): boolean => {
  const double = Number(number)
  if (!Number.isFinite(double)) return false
  const exact = fractionOfDecimal(number)
  return areEqual(exact, fractionOfDouble(double)) || areEqual(exact, fractionOfDecimal(String(double)))
}

const manyNumbers = { numRuns: runs(600, 100_000), examples: edgeCases.map((number): [string] => [number]) }

it('accepts a number as exact if and only if a double holds it, as fractions of integers show', () => {
  let exactCount = 0
  let roundedCount = 0
  fc.assert(
    fc.property(decimals, (number) => {
      const isExact = isHeldByDouble(number)
      expect({ number, isExact: isExactNumber(number) }).toEqual({ number, isExact })
      if (isExact) exactCount += 1
      else roundedCount += 1
    }),
    manyNumbers,
  )
  expect(exactCount).toBeGreaterThan(50)
  expect(roundedCount).toBeGreaterThan(50)
})

it('skips the check only of numbers that a double holds', () => {
  let skippedCount = 0
  fc.assert(
    fc.property(decimals, (number) => {
      const isSkipped = isShortNumber(`[${number},1]`, 1, 1 + number.length)
      if (!isSkipped) return
      skippedCount += 1
      expect({ number, isExact: isHeldByDouble(number) }).toEqual({ number, isExact: true })
    }),
    manyNumbers,
  )
  expect(skippedCount).toBeGreaterThan(0)
})
