const zerosAtEnd = (digits: string): number => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.length - end
}

/** Returns the absolute value of a number: digits, without zeros at either end, and a power of ten. Zero has no digits. */
const decimal = (number: string) => {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const zeros = zerosAtEnd(digits)
  return digits === ''
    ? { digits, exponent: 0 }
    : {
        digits: digits.slice(0, digits.length - zeros),
        exponent: Number(exponent) - fraction.length + zeros,
      }
}

type Decimal = ReturnType<typeof decimal>

/** The maximum length of the shortest notation of a double, in characters and in digits. */
const MAX_SHORT_LENGTH = 24
const MAX_SHORT_DIGITS = 17
/** The maximum significant digits, digits after the point and zeros at the end of a double written out in full. */
const MAX_DIGITS = 767
const MAX_DECIMAL_PLACES = 1_074
const MAX_END_ZEROS = 22

const powersOfFive: bigint[] = []
const powerOfFive = (exponent: number): bigint => {
  powersOfFive[exponent] ??= 5n ** BigInt(exponent)
  return powersOfFive[exponent]
}

/** Returns whether the double nearest to a decimal is exactly the decimal. Checks cheap limits before exact arithmetic. */
const isSame = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (exponent >= 0)
    return exponent <= MAX_END_ZEROS && BigInt(digits + '0'.repeat(exponent)) === BigInt(double)
  const places = -exponent
  // A double with as many decimal places is m / 2 ** places, so its digits are m * 5 ** places.
  if (places > MAX_DECIMAL_PLACES || digits.length > MAX_DIGITS || digits.length < 0.69 * places) return false
  const half = Math.floor(places / 2)
  const m = double * 2 ** half * 2 ** (places - half)
  return Number.isSafeInteger(m) && BigInt(digits) === BigInt(m) * powerOfFive(places)
}

const isShortest = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (digits.length > MAX_SHORT_DIGITS) return false
  const written = decimal(String(double))
  return digits === written.digits && exponent === written.exponent
}

/**
 * Returns whether a double represents a JSON number: exactly, as 2 ** 70 in full, or in its shortest notation, as 0.1.
 */
export const isExactNumber = (number: string): boolean => {
  const double = Number(number)
  if (number.length <= MAX_SHORT_LENGTH && String(double) === number) return true
  if (!Number.isFinite(double)) return false
  const sent = decimal(number)
  return isShortest(sent, double) || isSame(sent, Math.abs(double))
}

/** Every number with no more digits and exponent digits than these fits into a double. */
const SAFE_DIGITS = 15
const SAFE_EXPONENT_DIGITS = 2

/** Returns whether the number from `start` to `end` is short enough to fit into a double, as nearly all are. */
export const isShortNumber = (json: string, start: number, end: number): boolean => {
  if (end - start > SAFE_DIGITS + 1 + SAFE_EXPONENT_DIGITS) return false
  let exponent = start
  while (exponent < end && json[exponent] !== 'e' && json[exponent] !== 'E') exponent += 1
  return exponent - start <= SAFE_DIGITS && end - exponent <= 1 + SAFE_EXPONENT_DIGITS
}
