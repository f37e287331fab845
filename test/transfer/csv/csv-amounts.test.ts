import fc from 'fast-check'
import { currencies } from '../../../shared/money/currencies.ts'
import { minorUnitDigits } from '../../../shared/money/minor-units.ts'
import { toMinorUnits } from '../../../tools/transfer/formats/csv/amounts.ts'

it.each([
  [',', 'EUR', '1900', '19|19,0|19,00|19,00 €|€ 19|EUR 19,00|19,00 eur|019,00|19,00\u00A0€'],
  [',', 'EUR', '123456', "1234,56|1.234,56|1 234,56|1\u202F234,56 €|1\u00A0234,56|1'234,56|1’234,56"],
  [',', 'EUR', '-500', '-5,00|- 5|\u22125,00|(5,00)|5,00-|-5,00 €|5,00- €|5,00 €-|(5,00 €)|€ -5|-   5,00 €'],
  [',', 'EUR', '123456789012', '1.234.567.890,12'],
  [',', 'EUR', '0', '0|0,00|-0,00 €'],
  [',', 'JPY', '4800', '4.800|4800|4.800 ¥|￥4.800'],
  [',', 'KWD', '1234567', '1.234,567|1234,567 KWD'],
  [',', 'KWD', '1500', '1,5|1,50|1,500'],
  [',', 'DKK', '123400', 'kr. 1.234,00|1.234 kr|1.234,00 kr.'],
  [',', 'PLN', '500', '5,00 zł|5,00 PLN'],
  ['.', 'USD', '123456', "$1,234.56|1,234.56|US$1234.56|$1,234.56 USD|1'234.56"],
  ['.', 'USD', '-123456', '-$1,234.56|($1,234.56)|$(1,234.56)|$-1,234.56|$1,234.56-'],
  ['.', 'CHF', '123450', "CHF 1'234.50|1’234.50|CHF\u00A01,234.5"],
  ['.', 'PKR', '5000', 'Rs. 50|Rs.50'],
  ['.', 'INR', '12345600', '1,23,456.00|₹1,23,456.00|₹ 1,23,456|Rs. 123456.00|123,456.00'],
  ['.', 'INR', undefined, '1,23,45.00|12,3456.00|1,234,56.00'],
  ['.', 'USD', '0', '-|$ -|$-|- $|–'],
  [',', 'EUR', '1200', '12,-|12,– €|€ 12,--|12,0000'],
  ['.', 'USD', '1200', '+12.00|+$12|$+12'],
  ['.', 'USD', '1990', '19.900000|19.9|19.9000'],
  // A digit is missing on one side of the decimal separator.
  ['.', 'USD', '50', '.5|.50|$.50|+.5'],
  ['.', 'USD', '-500', '-5.|($5.)'],
  ['.', 'INR', '5000', 'Rs.50|Rs. 50'],
  ['.', 'JPY', '48', '48.0|48.00'],
  // A thousands separator in a wrong place, or two of them.
  [',', 'EUR', undefined, '1.23|1.23,45|12.34.567,00|1234.567,00|0.123|1 234.567|1.234 567|1,234,567'],
  // More digits than the currency has.
  [',', 'EUR', undefined, '19,001|19,000'],
  [',', 'JPY', undefined, '48,5'],
  ['.', 'KWD', undefined, '1.2345'],
  // Another currency, or anything else.
  [',', 'EUR', undefined, '5 $|$5|USD 5|5 €€|5 Euro|5,00 EUR/Monat'],
  ['.', 'CAD', undefined, 'US$5'],
  [',', 'EUR', undefined, '--5|(-5)|-5-|(5|5)|5.|Rs,50|,|1E+3|n/a|#5|٣|+-5|(+5)|$ -|19,900'],
])('with "%s", amounts of %s are %s minor units: %s', (decimal, currency, amount, cells) => {
  const amounts = Object.fromEntries(
    cells.split('|').map((cell) => [cell, toMinorUnits(cell, decimal, currency)]),
  )
  expect(amounts).toEqual(Object.fromEntries(cells.split('|').map((cell) => [cell, amount])))
})

/** Locales, and the decimal separator that their numbers have. */
const locales = [
  { locale: 'de-DE', decimal: ',' },
  { locale: 'fr-FR', decimal: ',' },
  { locale: 'sv-SE', decimal: ',' },
  { locale: 'pl-PL', decimal: ',' },
  { locale: 'da-DK', decimal: ',' },
  { locale: 'en-US', decimal: '.' },
  { locale: 'de-CH', decimal: '.' },
  { locale: 'ja-JP', decimal: '.' },
  { locale: 'en-CA', decimal: '.' },
]

it('reads any amount in any currency as Intl writes it in several locales', () => {
  const parameters = [
    fc.maxSafeInteger(),
    fc.constantFrom(...currencies),
    fc.constantFrom(...locales),
    fc.constantFrom('standard' as const, 'accounting' as const),
  ] as const
  fc.assert(
    fc.property(...parameters, (amount, currency, { locale, decimal }, currencySign) => {
      const digits = minorUnitDigits(currency)
      const format = new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: locale === 'en-US' ? 'narrowSymbol' : 'code',
        currencySign,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })
      const cell = format.format(`${amount}E-${digits}` as Intl.StringNumericLiteral)
      expect({ [cell]: toMinorUnits(cell, decimal, currency) }).toEqual({ [cell]: `${amount}` })
    }),
  )
})
