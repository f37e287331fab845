const zerosAtEnd = (digits: string): number => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.length - end
}

/** The digits and the exponent of a decimal number, without zeros that say nothing: equal texts are equal numbers. */
const canonical = (number: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const zeros = zerosAtEnd(digits)
  return digits === ''
    ? '0'
    : `${sign}${digits.slice(0, digits.length - zeros)}e${Number(exponent) - fraction.length + zeros}`
}

/** Whether a double holds a number, written as in JSON, to its last digit. */
export const isExact = (number: string): boolean => {
  const value = Number(number)
  const written = String(value)
  return written === number || (Number.isFinite(value) && canonical(number) === canonical(written))
}

/** As many digits as any double holds, whatever they are, and as many of an exponent as surely fit. */
const SURE = { digits: 15, exponent: 2 }

/** Whether the number from `start` to `end` is so short that a double holds it: nearly all are, and this is soon said. */
export const isShort = (json: string, start: number, end: number): boolean => {
  let exponent = start
  while (exponent < end && json[exponent] !== 'e' && json[exponent] !== 'E') exponent += 1
  return exponent - start <= SURE.digits && end - exponent <= 1 + SURE.exponent
}
