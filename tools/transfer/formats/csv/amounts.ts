import { minorUnitDigits } from '../../../../shared/money/minor-units.ts'

/** An amount with this decimal separator may have the other one between groups of digits. */
const amountPattern = (decimal: string, other: string): RegExp => {
  // Groups of three digits, with spaces, apostrophes or the other separator between them.
  const grouped = `[1-9]\\d{0,2}(?<separator>[\\s'’${other}])\\d{3}(?:\\k<separator>\\d{3})*`
  // In India, all groups but the last one have two digits.
  const indian = '[1-9]\\d?(?:,\\d\\d)+,\\d{3}'
  // Some programs leave out the zero before the decimal separator. After a letter, as in "Rs.50", the point ends an abbreviation.
  const none = `(?<!\\p{L})(?=[${decimal}]\\d)`
  const whole = [grouped, ...(other === ',' ? [indian] : []), '\\d+', none].join('|')
  // One or two dashes instead of the digits after the decimal separator stand for zeros.
  const fraction = `(?:[${decimal}](?:(?<fraction>\\d+)|[-–—]{1,2})?)?`
  return new RegExp(`^(?<before>\\D*?)(?<whole>${whole})${fraction}(?<after>\\D*)$`, 'u')
}

const patterns: ReadonlyMap<string, RegExp> = new Map([
  [',', amountPattern(',', '.')],
  ['.', amountPattern('.', ',')],
])

export const decimalSeparators: readonly string[] = [...patterns.keys()]

/** In upper case, without white space and without a point at its end. */
const normalised = (symbol: string): string =>
  symbol
    .replace(/\s/g, '')
    .replace(/(?<=.)\.$/, '')
    .toUpperCase()

/** Currencies that are also written as "Rs.". */
const rupees: ReadonlySet<string> = new Set(['INR', 'LKR', 'MUR', 'NPR', 'PKR', 'SCR'])

/** Such as `$`, or `US$` where other dollars are common. */
const symbolIn = (
  locale: Intl.Locale | string,
  currency: string,
  currencyDisplay: 'symbol' | 'narrowSymbol',
): string => {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay }).formatToParts(
    0,
  )
  return parts.find(({ type }) => type === 'currency')!.value
}

/** The normalised code and symbols of a currency: in English, and in the country that its first two letters name. */
const symbolsOf = (currency: string): ReadonlySet<string> => {
  const country = new Intl.Locale('und', { region: currency.slice(0, 2) }).maximize()
  const symbols = [
    currency,
    symbolIn(country, currency, 'symbol'),
    symbolIn('en', currency, 'narrowSymbol'),
    symbolIn('en-001', currency, 'symbol'),
  ]
  if (rupees.has(currency)) symbols.push('Rs')
  return new Set(symbols.map(normalised))
}

const symbolsByCurrency = new Map<string, ReadonlySet<string>>()

const isOptionalSymbol = (text: string, currency: string): boolean => {
  const symbol = normalised(text)
  if (symbol === '') return true
  const symbols = symbolsByCurrency.get(currency) ?? symbolsOf(currency)
  symbolsByCurrency.set(currency, symbols)
  return symbols.has(symbol)
}

/** Whether an amount is negative, by the signs around its digits, for which "#" stands. */
const isNegativeBySigns: ReadonlyMap<string, boolean> = new Map([
  ['#', false],
  ['+#', false],
  ['-#', true],
  ['#-', true],
  ['(#)', true],
])

/** With as many digits as the currency has; undefined if there are more, or three digits that may be thousands. */
const minorDigits = (fraction: string, digits: number): string | undefined => {
  if (fraction.length <= digits) return fraction.padEnd(digits, '0')
  const isPadded = /^0*$/.test(fraction.slice(digits))
  return isPadded && fraction.length !== 3 ? fraction.slice(0, digits) : undefined
}

/** Whether a cell is a dash, alone or with the currency's symbol. */
const isAccountingZero = (cell: string, currency: string): boolean =>
  /^\D*[-–—]\D*$/.test(cell) && isOptionalSymbol(cell.replace(/[-–—]/, ''), currency)

/** Undefined if the cell is not an amount with this decimal separator, contains another currency, or has too many decimal places. */
export const toMinorUnits = (cell: string, decimal: string, currency: string): string | undefined => {
  if (isAccountingZero(cell, currency)) return '0'
  const groups = patterns.get(decimal)!.exec(cell)?.groups
  if (!groups) return undefined
  const { whole = '', fraction = '', before = '', after = '' } = groups
  const minor = minorDigits(fraction, minorUnitDigits(currency))
  const surroundings = `${before}#${after}`.replaceAll('\u2212', '-')
  const isNegative = isNegativeBySigns.get(surroundings.replace(/[^-+#()]/g, ''))
  const symbols = surroundings.replace(/[-+()]/g, '').split('#')
  if (minor === undefined || isNegative === undefined) return undefined
  if (!symbols.every((symbol) => isOptionalSymbol(symbol, currency))) return undefined
  const amount = BigInt(whole.replace(/\D/g, '') + minor)
  return String(isNegative ? -amount : amount)
}
