/** A number as digits, without leading and trailing zeros, and a power of ten. Zero has no digits. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

const zerosAtEnd = (digits: string): number => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.length - end
}

/** Parses the absolute value of a JSON number. */
const decimal = (number: string): Decimal => {
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

/** Limits of doubles: characters and digits in the shortest notation; digits, zeros and binary places in full. */
const MOST = { characters: 24, written: 17, digits: 767, zeros: 22, places: 1_074 }

const powersOfFive: bigint[] = []
const powerOfFive = (exponent: number): bigint => {
  powersOfFive[exponent] ??= 5n ** BigInt(exponent)
  return powersOfFive[exponent]
}

/** Returns whether the double nearest to a decimal is exactly the decimal. Checks cheap limits before exact arithmetic. */
const isSame = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (exponent >= 0) return exponent <= MOST.zeros && BigInt(digits + '0'.repeat(exponent)) === BigInt(double)
  const places = -exponent
  // A double with as many decimal places is m / 2 ** places, so its digits are m * 5 ** places.
  if (places > MOST.places || digits.length > MOST.digits || digits.length < 0.69 * places) return false
  const half = Math.floor(places / 2)
  const m = double * 2 ** half * 2 ** (places - half)
  return Number.isSafeInteger(m) && BigInt(digits) === BigInt(m) * powerOfFive(places)
}

/** Returns whether a decimal is the usual notation of a double: the shortest decimal that is nearest to it. */
const isWritten = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (digits.length > MOST.written) return false
  const written = decimal(String(double))
  return digits === written.digits && exponent === written.exponent
}

/**
 * Returns whether a double represents a JSON number: exactly, as 2 ** 70 in full, or in its usual notation, as 0.1.
 */
export const isExact = (number: string): boolean => {
  const double = Number(number)
  if (number.length <= MOST.characters && String(double) === number) return true
  if (!Number.isFinite(double)) return false
  const sent = decimal(number)
  return isWritten(sent, double) || isSame(sent, Math.abs(double))
}

/** Numbers of at most this many digits and exponent digits always fit into a double. */
const SURE = { digits: 15, exponent: 2 }

/** Returns whether the number from `start` to `end` is short enough to fit into a double, as nearly all are. */
export const isShort = (json: string, start: number, end: number): boolean => {
  if (end - start > SURE.digits + 1 + SURE.exponent) return false
  let exponent = start
  while (exponent < end && json[exponent] !== 'e' && json[exponent] !== 'E') exponent += 1
  return exponent - start <= SURE.digits && end - exponent <= 1 + SURE.exponent
}
