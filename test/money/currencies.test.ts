import { codes } from 'currency-codes'
import { currencies, isCurrency, nearestCurrency } from '../../shared/money/currencies.ts'

/**
 * The codes, by the release that accepted them first. No code is ever removed: a create that one release has
 * recorded must be a replay in every later release.
 */
const acceptedSince = {
  '0.2.0': `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD
    CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP
    GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW
    KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN
    NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
    SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW
    UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX
    YER ZAR ZMW ZWG`,
  '0.3.0': `ADP AFA ALK ANG AOK AON AOR ARA ARP ARY ATS AYM AZM BAD BEC BEF BEL BGJ BGK BGL BGN BOP BRB BRC BRE
    BRN BRR BUK BYB BYR CHC CSD CSJ CSK CYP DDM DEM ECS ECV EEK ESA ESB ESP FIM FRF GEK GHC GHP GNE GNS
    GQE GRD GWE GWP HRD HRK IEP ILP ILR ISJ ITL LAJ LSM LTL LTT LUC LUF LUL LVL LVR MGF MLF MRO MTL MTP
    MVQ MXP MZE MZM NIC NLG PEH PEI PES PLZ PTE RHD ROK ROL RUR SDD SDP SIT SKK SLL SRG STD SUR TJR TMM
    TPE TRL UAK UGS UGW USS UYN UYP VEB VEF VNC XEU XFO XFU XRE YDD YUD YUM YUN ZAL ZMK ZRN ZRZ ZWC ZWD
    ZWL ZWN ZWR`,
}

it('accepts exactly the currencies that releases have accepted', () => {
  const accepted = Object.values(acceptedSince).flatMap((text) => text.split(/\s+/))
  expect([...currencies].sort()).toEqual(accepted.sort())
})

it('accepts every currency of List One of ISO 4217, which the package currency-codes contains', () => {
  expect(codes().filter((code) => !currencies.has(code))).toEqual([])
})

it.each(['', 'ınr', 'constructor'])('does not accept "%s" as a currency', (code) => {
  expect(isCurrency(code)).toBe(false)
})

it.each([
  [' eur', 'EUR'],
  ['Gpb', 'GBP'],
  ['YEN', undefined],
  ['peso', undefined],
  ['', undefined],
])('finds the currency nearest to "%s": %s', (text, code) => {
  expect(nearestCurrency(text)).toBe(code)
})
