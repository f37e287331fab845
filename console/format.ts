/** The digits of minor units by ISO 4217. `Intl` has those of cash, which differ: it shows no fillér, a hundredth of the amount. */
const currenciesByDigits = {
  0: `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XAG XAU XBA XBB XBC XBD XDR XOF XPD XPF XPT XSU XTS XUA XXX
    ADP BEC BEF BEL BYB BYR ESA ESB ESP GRD ITL LUC LUF LUL MGF PTE ROL TPE TRL XFO XFU XRE`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** Returns the digits of a currency's minor unit. */
export const minorUnitDigits = (currency: string): number => {
  const other = Object.entries(currenciesByDigits).find(([, currencies]) => currencies.includes(currency))
  return Number(other?.[0] ?? 2)
}

/** Returns an amount of minor units in the reader's language; without a currency, the bare number. */
export const money = (amount: number, currency: string | null | undefined): string => {
  if (!currency) return number(amount)
  const digits = minorUnitDigits(currency)
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // As text it is exact, whatever its size.
  return format.format(`${amount}E-${digits}` as Intl.StringNumericLiteral)
}

/** Returns a number in the reader's language. */
export const number = (value: number): string => new Intl.NumberFormat().format(value)

const DAY_SECONDS = 86_400

/** Returns a time in UTC, given in seconds; one at midnight as its day alone. */
export const time = (seconds: number): string => {
  const timeStyle = seconds % DAY_SECONDS === 0 ? undefined : 'short'
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle, timeZone: 'UTC' })
  return format.format(seconds * 1000)
}

/** Returns a name of the API in plain words: `customer_id` is "Customer". */
export const words = (name: string): string => {
  if (name === 'external_id') return 'Your id'
  const text = name.replace(/_id$/, '').replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the beginning of a text of any length. */
export const beginning = (text: string, most: number): string =>
  text.length > most ? `${[...text.slice(0, most)].slice(0, -1).join('')}…` : text
