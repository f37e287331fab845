/** A number as its digits, without zeros at either end, times a power of ten; zero has no digits. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

const zerosAtEnd = (digits: string): number => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.length - end
}

/** The absolute value of a number written as in JSON. */
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

/** The most that a double has: as it is written, characters and digits; in full, digits, zeros and binary places. */
const MOST = { characters: 24, written: 17, digits: 767, zeros: 22, places: 1_074 }

const powersOfFive: bigint[] = []
const powerOfFive = (exponent: number): bigint => {
  powersOfFive[exponent] ??= 5n ** BigInt(exponent)
  return powersOfFive[exponent]
}

/** Whether a double, the one nearest to a decimal, is the decimal: by exact arithmetic, after what is soon said. */
const isSame = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (exponent >= 0) return exponent <= MOST.zeros && BigInt(digits + '0'.repeat(exponent)) === BigInt(double)
  const places = -exponent
  // A double with as many decimal places is m / 2 ** places, so its digits are m * 5 ** places.
  if (places > MOST.places || digits.length > MOST.digits || digits.length < 0.69 * places) return false
  const half = Math.floor(places / 2)
  const m = double * 2 ** half * 2 ** (places - half)
  return Number.isSafeInteger(m) && BigInt(digits) === BigInt(m) * powerOfFive(places)
}

/** Whether a decimal is what a double is written as, the shortest text that no other double is nearer to. */
const isWritten = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (digits.length > MOST.written) return false
  const written = decimal(String(double))
  return digits === written.digits && exponent === written.exponent
}

/**
 * Whether a number, written as in JSON, is kept to its last digit: a double is exactly it, or is written like it, as
 * 0.1 is. 2 ** 70 in full is the first, though it is written with fewer digits.
 */
export const isExact = (number: string): boolean => {
  const double = Number(number)
  if (number.length <= MOST.characters && String(double) === number) return true
  if (!Number.isFinite(double)) return false
  const sent = decimal(number)
  return isWritten(sent, double) || isSame(sent, Math.abs(double))
}

/** As many digits as any double holds, whatever they are, and as many of an exponent as surely fit. */
const SURE = { digits: 15, exponent: 2 }

/** Whether the number from `start` to `end` is so short that a double holds it: nearly all are, and this is soon said. */
export const isShort = (json: string, start: number, end: number): boolean => {
  if (end - start > SURE.digits + 1 + SURE.exponent) return false
  let exponent = start
  while (exponent < end && json[exponent] !== 'e' && json[exponent] !== 'E') exponent += 1
  return exponent - start <= SURE.digits && end - exponent <= 1 + SURE.exponent
}
