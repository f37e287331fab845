import { minorUnitDigits } from '../../../../shared/money/minor-units.ts'

/** How amounts are written, and how many minor units they are. */

interface AmountForm {
  readonly pattern: RegExp
}

const formWith = (decimal: string, other: string): AmountForm => {
  // Groups of three digits have spaces, apostrophes or the other sign between them.
  const grouped = `[1-9]\\d{0,2}(?<by>[\\s'’${other}])\\d{3}(?:\\k<by>\\d{3})*`
  // In India, the groups before the last have two digits.
  const indian = '[1-9]\\d?(?:,\\d\\d)+,\\d{3}'
  const whole = [grouped, ...(other === ',' ? [indian] : []), '\\d+'].join('|')
  // A dash in place of the digits after the decimal separator stands for zeros.
  const fraction = `(?:[${decimal}](?:(?<fraction>\\d+)|[-–—]{1,2}))?`
  return { pattern: new RegExp(`^(?<before>\\D*?)(?<whole>${whole})${fraction}(?<after>\\D*)$`) }
}

/** The forms of an amount by decimal separator. */
export const amountForms: ReadonlyMap<string, AmountForm> = new Map([
  [',', formWith(',', '.')],
  ['.', formWith('.', ',')],
])

const bare = (sign: string): string =>
  sign
    .replace(/\s/g, '')
    .replace(/(?<=.)\.$/, '')
    .toUpperCase()

/** Currencies that are written as "Rs.". */
const RUPEES: ReadonlySet<string> = new Set(['INR', 'LKR', 'MUR', 'NPR', 'PKR', 'SCR'])

const signs = new Map<string, ReadonlySet<string>>()

/** Returns the code of a currency and its signs, in English and in the country whose code it begins with. */
const signsOf = (currency: string): ReadonlySet<string> => {
  const found = signs.get(currency)
  if (found) return found
  const home = new Intl.Locale('und', { region: currency.slice(0, 2) }).maximize()
  const signIn = (locale: Intl.Locale | string, currencyDisplay: 'symbol' | 'narrowSymbol') =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .find(({ type }) => type === 'currency')!.value
  const all = [currency, signIn(home, 'symbol'), signIn('en', 'narrowSymbol'), signIn('en-001', 'symbol')]
  if (RUPEES.has(currency)) all.push('Rs')
  const set = new Set(all.map(bare))
  signs.set(currency, set)
  return set
}

const isSignOf = (currency: string, text: string): boolean => text === '' || signsOf(currency).has(text)

/** Whether an amount is negative, by what stands around its digits. */
const negativeBySigns: ReadonlyMap<string, boolean> = new Map([
  ['#', false],
  ['+#', false],
  ['-#', true],
  ['#-', true],
  ['(#)', true],
])

/** Returns the digits after the decimal separator, padded or without further zeros; undefined if the currency has fewer. */
const minorDigits = (fraction: string, digits: number): string | undefined => {
  const isPadded = fraction.length > digits && /^0*$/.test(fraction.slice(digits))
  // Three digits after the separator may be thousands.
  if (isPadded && fraction.length !== 3) return fraction.slice(0, digits)
  return fraction.length > digits ? undefined : fraction.padEnd(digits, '0')
}

/** Returns whether a cell is a dash, alone or with the currency's sign, as accounting writes zero. */
const isAccountingZero = (cell: string, currency: string): boolean =>
  /^\D*[-–—]\D*$/.test(cell) && isSignOf(currency, bare(cell.replace(/[-–—]/, '')))

/**
 * Returns an amount as an integer of minor units. Undefined if the text is not an amount with this decimal separator, names
 * another currency, or has more digits than the currency.
 */
export const amountIn = (cell: string, decimal: string, currency: string): string | undefined => {
  if (isAccountingZero(cell, currency)) return '0'
  const {
    whole,
    fraction = '',
    before = '',
    after = '',
  } = amountForms.get(decimal)!.pattern.exec(cell)?.groups ?? {}
  if (whole === undefined) return undefined
  const minor = minorDigits(fraction, minorUnitDigits(currency))
  const around = `${before}#${after}`.replaceAll('\u2212', '-')
  const isNegative = negativeBySigns.get(around.replace(/[^-+#()]/g, ''))
  const names = around.split('#').map((text) => bare(text.replace(/[-+()]/g, '')))
  const isOwn = names.every((name) => isSignOf(currency, name))
  if (minor === undefined || isNegative === undefined || !isOwn) return undefined
  const amount = BigInt(whole.replace(/\D/g, '') + minor)
  return String(isNegative ? -amount : amount)
}
