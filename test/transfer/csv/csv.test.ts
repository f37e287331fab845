import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { currencies } from '../../../shared/money/currencies.ts'
import { minorUnitDigits } from '../../../shared/money/minor-units.ts'
import { toMinorUnits } from '../../../tools/transfer/formats/csv/amounts.ts'
import { recordStore } from '../../../tools/transfer/formats/csv/record-store.ts'
import { MAX_LINE_BYTES, readLines } from '../../../tools/transfer/input.ts'
import { openRunDatabase } from '../../../tools/transfer/run-database.ts'
import { range } from '../../support/range.ts'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { importContents, recordedEntity } from '../importing.ts'

serveForTests()

const invoiceHeader =
  'id,total,created,period_start,period_end,currency,customer_id,subscription_id,discounts'
/** The cells from `created` to `currency` of an invoice of January. */
const january = '2024-01-01,2024-01-01,2024-02-01,eur'

describe('import of CSV', () => {
  it('reads each resource from the file that is named after it, with the types of its fields', async () => {
    const client = await newClient()
    const { counts } = await importContents(client, {
      'invoices.csv.gz': gzipSync(
        `${invoiceHeader},line_items
7,1900,${january},42,s,"[""half"",7]","[{""id"":""l"",""amount"":1900,""type"":""recurring"",""interval"":""month"",""interval_count"":1}]"
8,1900,${january},42,s,half; 7,
9,1900,${january},42,s,7,
`,
      ),
      'customers-2024.csv':
        '\uFEFFid,name,email,metadata.plan,metadata.a.b\r\n42,"Ann ""A"", Example",,pro,1\r\n\r\n043,"two\nlines",b@example.org,,\r\n',
      'Prices.tsv':
        'id\tproduct_id\ttitle\tcurrency\tprice\ttiered\ttype\np\tpro\t\tEUR\t500\tTRUE\tone_time',
      'products.csv': 'id;name\r\n;\r\n"pro";"007"\r\n;;;\r\n\r\n',
      'discounts.csv':
        'id,name,duration,duration_in_months,percent_off,currency\nhalf , Half,repeating,3,50,EUR\n7,Z,once,,5,EUR\n',
    })
    expect(counts).toMatchObject({ rows: 9, created: 9 })
    const discounts = [{ name: 'Half', duration_in_months: 3 }, { external_id: '7' }]
    const include = 'line_items,customer,discounts,external_id'
    expect(await recordedEntity(client, 'invoices', '7', include)).toMatchObject({
      total: 1900,
      line_items: [{ id: 'l', amount: 1900, interval_count: 1 }],
      customer: {
        external_id: '42',
        name: 'Ann "A", Example',
        email: null,
        metadata: { plan: 'pro', 'a.b': '1' },
      },
      discounts,
    })
    expect(await recordedEntity(client, 'invoices', '8', include)).toMatchObject({
      line_items: [],
      discounts,
    })
    expect(await recordedEntity(client, 'invoices', '9', include)).toMatchObject({
      discounts: [{ external_id: '7' }],
    })
    expect(await recordedEntity(client, 'customers', '043')).toMatchObject({ name: 'two\nlines' })
    expect(await recordedEntity(client, 'prices', 'p', 'product')).toMatchObject({
      title: null,
      tiered: true,
      product: { name: '007' },
    })
  })

  it.each([
    ['discounts.csv', 'id,percent_off', 'x,ten', /^percent_off must be an integer/],
    ['discounts.csv', 'id,percent_off', 'x,12345678901234567890', /^percent_off/],
    ['customers.csv', 'id,metadata', 'x,"{""plan"": pro}"', /^metadata must be an object/],
    ['customers.csv', 'id,name', 'x,Ann,,b', /^The record must have 2 cells, .* \(got 4\)/],
    ['prices.csv', 'id,product_id', 'E+1X,1E5', /^(?!.*digits)/],
  ])('refuses a record of %s with %s: %s', async (name, header, record, error) => {
    const contents = { [name]: `${header}\r\n${record}\r\n` }
    const { lines, errors } = await importContents(await newClient(), contents)
    expect(lines).toMatchObject([{ row: 2, outcome: 'invalid' }])
    expect(errors.join(' ')).toMatch(error)
  })

  it.each([
    ['line feeds', '\n'],
    ['carriage returns and line feeds', '\r\n'],
  ])('numbers rows by the lines of the file, with %s', async (_, end) => {
    const records = ['id,name', '1,""', '', '"2","two', 'lines"', ',', '', '', '3,x,y', '4,x,y']
    const { shown } = await importContents(await newClient(), { 'customers.csv': records.join(end) })
    expect(shown).toMatch(/customers.csv, line 9 \(customer\): invalid/)
    expect(shown).toMatch(/customers.csv, line 10 \(customer\): invalid/)
  })
})

/**
 * Returns the processor time, in milliseconds, in which the records of each of `count` ids are found: the least of three runs.
 */
const lookUpTime = async (count: number): Promise<number> => {
  const database = await openRunDatabase()
  const store = recordStore(database)
  const ids = range(count).map((number) => `id ${number}`)
  for (const [index, id] of ids.entries()) store.add(0, id, { line: index + 2, cells: [], problem: null })
  const times = range(3).map(() => {
    const start = process.cpuUsage()
    const found = ids.flatMap((id) => store.recordsWith(0, id))
    const { user, system } = process.cpuUsage(start)
    expect(found).toHaveLength(count)
    return (user + system) / 1_000
  })
  database.close()
  return Math.min(...times)
}

it('finds the records of an id without reading the whole file', async () => {
  const time = await lookUpTime(500)
  // Sixteen times as many ids take sixteen times as long, but 256 times if the whole file is read for each of them.
  expect(await lookUpTime(8_000)).toBeLessThan(time * 64)
})

async function* chunksOf(text: string, size: number) {
  for (let start = 0; start < text.length; start += size) yield Buffer.from(text.slice(start, start + size))
}

/** Returns the length of each line of a text that arrives in chunks of a size; undefined for a line that is too long. */
const lineLengths = async (text: string, chunkSize: number) => {
  const lengths: (number | undefined)[] = []
  for await (const line of readLines(chunksOf(text, chunkSize))) lengths.push(line?.length)
  return lengths
}

it.each([
  ['ends with a line feed', '\n'],
  ['ends with the file', ''],
])('reads a line of the maximum length that %s, and does not keep a longer one', async (_, end) => {
  const longest = 'x'.repeat(MAX_LINE_BYTES)
  const text = `${longest}\n${longest}y\nz\n${longest}${end}`
  for (const chunkSize of [MAX_LINE_BYTES, 1_000, 3 * MAX_LINE_BYTES])
    expect(await lineLengths(text, chunkSize)).toEqual([MAX_LINE_BYTES, undefined, 1, MAX_LINE_BYTES])
})

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
