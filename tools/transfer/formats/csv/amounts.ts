import { minorUnitDigits } from '../../../../shared/money/minor-units.ts'

/** The forms of an amount by decimal separator. Groups of digits have spaces, apostrophes or the other sign between them. */
export const amountForms: ReadonlyMap<string, RegExp> = new Map(
  [',.', '.,'].map(([decimal, other]) => [
    decimal!,
    new RegExp(
      `^(?<before>\\D*?)(?<whole>[1-9]\\d{0,2}(?<by>[\\s'’${other}])\\d{3}(?:\\k<by>\\d{3})*|\\d+)(?:[${decimal}](?<fraction>\\d+))?(?<after>\\D*)$`,
    ),
  ]),
)

const bare = (sign: string): string =>
  sign
    .replace(/\s/g, '')
    .replace(/(?<=.)\.$/, '')
    .toUpperCase()

const signs = new Map<string, ReadonlySet<string>>()

/** Returns the code of a currency and its signs, in English and in the country whose code it begins with. */
const signsOf = (currency: string): ReadonlySet<string> => {
  const home = new Intl.Locale('und', { region: currency.slice(0, 2) }).maximize()
  const signIn = (locale: Intl.Locale | string, currencyDisplay: 'symbol' | 'narrowSymbol') =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .find(({ type }) => type === 'currency')!.value
  return new Set(
    [currency, signIn(home, 'symbol'), signIn('en', 'narrowSymbol'), signIn('en-001', 'symbol')].map(bare),
  )
}

/** The minus of an amount, by what stands around its digits. */
const minuses: Readonly<Record<string, string>> = { '#': '', '-#': '-', '#-': '-', '(#)': '-' }

/**
 * Returns an amount as an integer of minor units. Undefined if the text is not an amount with this decimal separator, names
 * another currency, or has more digits than the currency.
 */
export const amountIn = (cell: string, decimal: string, currency: string): string | undefined => {
  const { whole, fraction = '', before = '', after = '' } = amountForms.get(decimal)!.exec(cell)?.groups ?? {}
  const digits = minorUnitDigits(currency)
  if (whole === undefined || fraction.length > digits) return undefined
  const around = `${before}#${after}`.replaceAll('\u2212', '-')
  const minus = minuses[around.replace(/[^-#()]/g, '')]
  const names = around.split('#').map((text) => bare(text.replace(/[-()]/g, '')))
  if (!signs.has(currency)) signs.set(currency, signsOf(currency))
  const isOwn = names.every((name) => name === '' || signs.get(currency)!.has(name))
  if (minus === undefined || !isOwn) return undefined
  return String(BigInt(whole.replace(/\D/g, '') + fraction.padEnd(digits, '0')) * BigInt(`${minus}1`))
}
