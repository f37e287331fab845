import fc from 'fast-check'
import { isExactNumber, isShortNumber } from '../../shared/http/validation/exact-number.ts'
import { runs } from '../support/runs.ts'

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

const edges = [
  ...['-0.0', '0e99999', '5e-324', '1e-400', '1e309', '9007199254740992.000', '9007199254740993'],
  ...[`${2n ** 60n * 10n ** 10n}`, `${2n ** 1023n}`, `${2n ** 1024n}`, '123456789012345e99', '1E999'],
]

it('a number is exact if a double represents it, as exact fractions show, and all that skip this check are', () => {
  const found = { kept: 0, rounded: 0 }
  fc.assert(
    fc.property(text, (number) => {
      const value = Number(number)
      const isKept =
        Number.isFinite(value) &&
        (equal(fractionOf(number), fractionIn(value)) || equal(fractionOf(number), fractionOf(`${value}`)))
      expect({ number, isExact: isExactNumber(number) }).toEqual({ number, isExact: isKept })
      found[isKept ? 'kept' : 'rounded'] += 1
      const isSkipped = isShortNumber(`[${number},1]`, 1, 1 + number.length)
      if (isSkipped) expect({ number, isKept }).toEqual({ number, isKept: true })
    }),
    { numRuns: runs(600, 100_000), examples: edges.map((number) => [number]) },
  )
  expect(Math.min(found.kept, found.rounded)).toBeGreaterThan(50)
})
