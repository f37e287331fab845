const groups: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XAG XAU XBA XBB XBC XBD XDR XOF XPD XPF XPT XSU XTS XUA XXX',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
const known = new Map(
  Object.entries(groups).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
)

/**
 * Returns the digits of a currency's minor unit by ISO 4217. `Intl` has those of cash, which differ: it shows no fillér, and
 * so a hundred times the amount.
 */
export const minorUnitDigits = (currency: string): number => known.get(currency) ?? 2
