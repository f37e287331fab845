/** An absolute value: its digits, without zeros at either end, and a power of ten. Zero has no digits. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

const zerosAtEnd = (digits: string): number => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.length - end
}

/** Returns the absolute value of a JSON number. */
const decimalOf = (number: string): Decimal => {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '') return { digits, exponent: 0 }
  const zeros = zerosAtEnd(digits)
  return {
    digits: digits.slice(0, digits.length - zeros),
    exponent: Number(exponent) - fraction.length + zeros,
  }
}

/** The maximum length of the shortest notation of a double, in characters and in digits. */
const MAX_SHORTEST_LENGTH = 24
const MAX_SHORTEST_DIGITS = 17
/** The maximum of significant digits, decimal places, and zeros at the end of a double that is written out in full. */
const MAX_DIGITS = 767
const MAX_DECIMAL_PLACES = 1_074
const MAX_END_ZEROS = 22
/** A double that is written out in full has at least this many significant digits for each decimal place: log10(5), rounded down. */
const MIN_DIGITS_PER_PLACE = 0.69

const powersOfFive: bigint[] = []
const powerOfFive = (exponent: number): bigint => {
  powersOfFive[exponent] ??= 5n ** BigInt(exponent)
  return powersOfFive[exponent]
}

/** Returns the product of a double and a power of two. The power alone may exceed the largest double. */
const timesPowerOfTwo = (double: number, exponent: number): number => {
  const half = Math.floor(exponent / 2)
  return double * 2 ** half * 2 ** (exponent - half)
}

/** Returns whether the double nearest to a decimal equals it exactly. Checks cheap limits before exact arithmetic. */
const isEqual = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (exponent >= 0)
    return exponent <= MAX_END_ZEROS && BigInt(digits + '0'.repeat(exponent)) === BigInt(double)
  const places = -exponent
  if (places > MAX_DECIMAL_PLACES || digits.length > MAX_DIGITS) return false
  if (digits.length < MIN_DIGITS_PER_PLACE * places) return false
  // A double with as many decimal places is an integer divided by 2 ** places, so its digits are the integer times 5 ** places.
  const integer = timesPowerOfTwo(double, places)
  return Number.isSafeInteger(integer) && BigInt(digits) === BigInt(integer) * powerOfFive(places)
}

/** Returns whether a decimal is the shortest notation of the double nearest to it. */
const isShortest = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (digits.length > MAX_SHORTEST_DIGITS) return false
  const shortest = decimalOf(String(double))
  return digits === shortest.digits && exponent === shortest.exponent
}

/** Returns whether a double represents a JSON number: exactly, such as 2 ** 70 with all digits, or in its shortest notation, such as 0.1. */
export const isExactNumber = (number: string): boolean => {
  const double = Number(number)
  if (number.length <= MAX_SHORTEST_LENGTH && String(double) === number) return true
  if (!Number.isFinite(double)) return false
  const decimal = decimalOf(number)
  return isShortest(decimal, double) || isEqual(decimal, Math.abs(double))
}

/** A double represents every number with no more digits and exponent digits than these. */
const SAFE_DIGITS = 15
const SAFE_EXPONENT_DIGITS = 2

/** Returns whether the number from `start` to `end` is so short that a double represents it, as nearly all numbers are. */
export const isShortNumber = (json: string, start: number, end: number): boolean => {
  if (end - start > SAFE_DIGITS + 1 + SAFE_EXPONENT_DIGITS) return false
  let exponentStart = start
  while (exponentStart < end && json[exponentStart] !== 'e' && json[exponentStart] !== 'E') exponentStart += 1
  return exponentStart - start <= SAFE_DIGITS && end - exponentStart <= 1 + SAFE_EXPONENT_DIGITS
}
