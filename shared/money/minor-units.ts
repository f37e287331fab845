/**
 * The currencies whose minor unit does not have two digits, by its number of digits (ISO 4217). `Intl` cannot
 * replace this list, because it has the digits of cash: it shows no hundredths of a forint (HUF), although
 * amounts are in hundredths.
 */
const currenciesByDigits: ReadonlyMap<number, readonly string[]> = new Map([
  [
    0,
    `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XAG XAU XBA XBB XBC XBD XDR XOF XPD XPF XPT XSU XTS XUA XXX
    ADP BEC BEF BEL BYB BYR ESA ESB ESP GRD ITL LUC LUF LUL MGF PTE ROL TPE TRL XFO XFU XRE`.split(/\s+/),
  ],
  [3, ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']],
  [4, ['CLF', 'UYW']],
])

/** The number of digits of a currency's minor unit: 2 for EUR, 0 for JPY. */
export const minorUnitDigits = (currency: string): number => {
  for (const [digits, currencies] of currenciesByDigits) if (currencies.includes(currency)) return digits
  return 2
}
