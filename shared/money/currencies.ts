/** The active alphabetic codes of ISO 4217, "List One", as of November 2026. */
const active: readonly string[] =
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
  CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP
  GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT
  LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR
  NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN
  SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD
  XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG`.split(/\s+/)

/** The codes that ISO 4217 has withdrawn, "List Three", as of November 2026. */
const withdrawn: readonly string[] =
  `ADP AFA ALK ANG AOK AON AOR ARA ARP ARY ATS AYM AZM BAD BEC BEF BEL BGJ BGK BGL BGN BOP BRB BRC BRE BRN
  BRR BUK BYB BYR CHC CSD CSJ CSK CUC CYP DDM DEM ECS ECV EEK ESA ESB ESP FIM FRF GEK GHC GHP GNE GNS GQE
  GRD GWE GWP HRD HRK IEP ILP ILR ISJ ITL LAJ LSM LTL LTT LUC LUF LUL LVL LVR MGF MLF MRO MTL MTP MVQ MXP
  MZE MZM NIC NLG PEH PEI PES PLZ PTE RHD ROK ROL RUR SDD SDP SIT SKK SLL SRG STD SUR TJR TMM TPE TRL UAK
  UGS UGW USS UYN UYP VEB VEF VNC XEU XFO XFU XRE YDD YUD YUM YUN ZAL ZMK ZRN ZRZ ZWC ZWD ZWL ZWN ZWR`.split(
    /\s+/,
  )

/**
 * Every alphabetic code that ISO 4217 has ever assigned. No code is ever removed: billed amounts keep their
 * currency, and every later release must accept a create again.
 */
export const currencies: ReadonlySet<string> = new Set([...active, ...withdrawn])

/** Whether `text` is a code of ISO 4217, active or withdrawn, in any case. */
export const isCurrency = (text: string): boolean =>
  // toUpperCase turns some letters of other scripts into ASCII.
  /^[A-Za-z]{3}$/.test(text) && currencies.has(text.toUpperCase())

const sortedLetters = (text: string): string => [...text].sort().join('')

/** The code that a text begins with, or has in another order of letters: EUR for "Euro", USD for "UDS". */
export const nearestCurrency = (text: string): string | undefined => {
  const start = text.trim().slice(0, 4).toUpperCase()
  const letters = sortedLetters(start)
  return (
    active.find((code) => start.startsWith(code)) ?? active.find((code) => sortedLetters(code) === letters)
  )
}
