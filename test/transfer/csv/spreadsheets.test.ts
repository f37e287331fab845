import { writeFileSync } from 'node:fs'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import {
  type Contents,
  expectStop,
  importContents,
  importFiles,
  ndjson,
  recordedEntity,
  writeFiles,
} from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

/** Returns rows, whose cells are separated by bars, as a German Excel saves them: a byte order mark, semicolons and CRLF. */
const sheet = (...rows: readonly string[]): string =>
  `\uFEFF${rows.map((row) => `${row.replaceAll('|', ';')}\r\n`).join('')}`

const HEADER = 'id|customer_id|subscription_id|created|period_start|period_end|currency|total'

/** Returns the row of an invoice. */
const invoice = (id: string, currency: string, total: string, created = '2026-03-01'): string =>
  [id, '1', 's', created, '2026-03-01', '2026-04-01', currency, total].join('|')

/** Returns sheets of a customer and of invoices, and more files. */
const sheets = (invoices: readonly string[], more: Contents = {}): Contents => ({
  'customers.csv': sheet('id', '1'),
  'invoices.csv': sheet(HEADER, ...invoices),
  ...more,
})

const germanOptions = ['--decimal', ',', '--dates', 'DD.MM.YYYY']

it('reads every column of amounts and dates, and amounts of line items in their own currency or that of their invoice', async () => {
  const invoiceRow = invoice('R', 'jpy', '4.800 ¥')
    .replaceAll('2026-03-01', '01.03.2026')
    .replace('2026-04-01', '1.4.2026')
  const contents = sheets([invoiceRow], {
    'customers-2.csv': sheet('id|created|metadata.paid|metadata.on', '2|1.3.2026|1.234,56 €|01.03.2026'),
    'products.csv': sheet('id|name', 'p|5,00'),
    'prices.csv': sheet('id|product_id|currency|price|type', 'q|p|EUR|9,99 €|one_time'),
    'discounts.csv': sheet('id|name|duration|currency|amount_off', 'a|A|once|KWD|1,5'),
    'line_items.csv': sheet(
      'invoice_id|amount|discount_amount|tax_amount|currency|quantity|price_id|period_start|period_end',
      'R|4.800|(100)|||3|q|01.03.2026|30.3.2026',
      'R|29,99||1,00|EUR||||',
    ),
    // The options have no effect on NDJSON.
    'all.ndjson': ndjson([
      ['price', { id: 'n', product_id: 'p', currency: 'EUR', price: 5, type: 'one_time' }],
    ]),
  })
  for (const outcome of ['created', 'unchanged']) {
    const { counts } = await importContents(client, contents, ...germanOptions)
    expect(counts).toMatchObject({ rows: 7, [outcome]: 7 })
  }
  const firstOfMarch = Date.UTC(2026, 2, 1) / 1_000
  const endInMarch = Date.UTC(2026, 2, 30) / 1_000
  expect(await recordedEntity(client, 'invoices', 'R', 'line_items')).toMatchObject({
    total: 4800,
    created: firstOfMarch,
    line_items: [
      {
        amount: 4800,
        discount_amount: -100,
        quantity: 3,
        period_start: firstOfMarch,
        period_end: endInMarch,
      },
      { amount: 2999, discount_amount: null, tax_amount: 100, currency: 'EUR', period_start: null },
    ],
  })
  expect(await recordedEntity(client, 'prices', 'q')).toMatchObject({ price: 999 })
  expect(await recordedEntity(client, 'prices', 'n')).toMatchObject({ price: 5 })
  expect(await recordedEntity(client, 'discounts', 'a')).toMatchObject({ amount_off: 1500 })
  expect(await recordedEntity(client, 'customers', '2')).toMatchObject({
    metadata: { paid: '1.234,56 €', on: '01.03.2026' },
  })
})

it.each<[string, string, string, RegExp]>([
  [',', 'EUR', '1.234567', /at most 2 digits after ",", such as "1\.234,00" \(got "1\.234567"\)\.$/],
  [',', 'JPY', '48,5', /amount of JPY with at most 0 digits after ",", such as "1\.234" \(got "48,5"\)\.$/],
  ['.', 'KWD', '1.2345', /with at most 3 digits after "\.", such as "1,234\.000" \(got "1\.2345"\)\.$/],
  ['.', '', '5', /^currency must be an ISO 4217 code.* minor units in the total "5" \(got ""\)\.$/],
  ['.', 'Euro', '5', /^currency must be an ISO 4217 code.* \(got "Euro"\)/],
  ['.', 'USD', '90,071,992,547,409.92', /^total must be an integer in minor units .*9007199254740992/],
])('with --decimal %s, refuses %s %s and names what would be right', async (decimal, unit, total, error) => {
  const { lines, errors } = await importContents(
    client,
    sheets([invoice('1', unit, total)]),
    '--decimal',
    decimal,
  )
  expect(lines.at(-1)).toMatchObject({ row: 2, outcome: 'invalid' })
  expect(errors.join(' ')).toMatch(error)
})

it.each([
  ['--decimal', ','],
  ['--ends', 'inclusive'],
])('refuses line items as JSON with %s %s', async (...option) => {
  const row = `${invoice('1', 'EUR', '5')}|"[{""amount"":19}]"`
  const contents = { 'invoices.csv': sheet(`${HEADER}|line_items`, row) }
  const { errors } = await importContents(client, contents, ...option)
  expect(errors).toEqual([
    expect.stringMatching(
      /^line_items must be in a file of their own with --decimal or --ends inclusive, because JSON has amounts in minor/,
    ),
  ])
})

it.each([
  ['DD.MM.YYYY', '31.03.2026|1.3.2026|01.03.2026 09:30|01.03.2026 9:30:15|01.03.2026T09:30:00+01:00'],
  ['MM/DD/YYYY', '03/31/2026|3/1/2026|3/1/2026 9:30|03/01/2026 09:30:15|3/1/2026 09:30:00 +01:00'],
  ['DD-MM-YYYY', '31-3-2026|1-3-2026|1-3-2026 09:30|1-3-2026 09:30:15|1-3-2026 09:30:00+01'],
  ['YYYY MM DD', '2026 03 31|2026 3 1|2026 3 1 9:30|2026 03 01 09:30:15|2026 03 01 09:30:00+01:00'],
  ['YYYY/DD/MM', '2026/31/03|2026/1/3|2026/1/3 9:30|2026/01/03 09:30:15|2026/01/03 09:30:00+0100'],
])('reads dates as %s, with the single digits of spreadsheets and with times', async (dates, cells) => {
  const rows = cells.split('|').map((cell, index) => `${index}|${cell}`)
  await importContents(client, { 'customers.csv': sheet('id|created', ...rows) }, '--dates', dates)
  const times = ['2026-03-31', '2026-03-01', '2026-03-01T09:30Z', '2026-03-01T09:30:15Z', '2026-03-01T08:30Z']
  const bodies = times.map((created, id) => ['customer', { id, created }] as const)
  const { counts } = await importContents(client, { 'same.ndjson': ndjson(bodies) })
  expect(counts).toMatchObject({ unchanged: 5 })
})

it('refuses a cell that is not a day and a time as --dates specifies', async () => {
  const cells =
    '2026-03-01|1/3/2026|01.03.26|31.02.2026|1.3.2026 25:00|1.3.2026x|46082|01.03.2026 13:30 PM'.split('|')
  const rows = cells.map((cell, id) => invoice(`${id}`, 'EUR', '1', cell))
  const { errors } = await importContents(client, sheets(rows), ...germanOptions)
  expect(errors).toEqual(
    cells.map((cell) =>
      expect.stringContaining(`created must be a date as DD.MM.YYYY, such as "31.01.2024" (got "${cell}").`),
    ),
  )
})

it('records nothing if a day is where the month should be, because other days would be read as months', async () => {
  const rows = [invoice('1', 'EUR', '1', '3/1/2026'), invoice('2', 'EUR', '1', '13/1/2026')]
  await expectStop(
    sheets(rows),
    ['--dates', 'MM/DD/YYYY'],
    /^line 3 of .*invoices.csv: created must be a date as MM\/DD\/YYYY, .* \(got "13\/1\/2026"\)\. --dates DD\/MM\/YYYY reads "13\/1\/2026" as 2026-01-13\. Nothing is recorded/,
  )
})

it('names the options that would read a cell that is refused without them, and no others', async () => {
  const rows = [
    invoice('1', 'EUR', '19', '31.03.2026'),
    invoice('2', 'EUR', '$5', '3/1/2026'),
    invoice('3', 'EUR', '1', '2026 03 31'),
    invoice('4', '', '19,00'),
  ]
  const { errors } = await importContents(client, sheets(rows), '--from', 'csv')
  const hints = errors.flatMap((error) => error.match(/--\w+ \S+ (\w+ \w+" )?reads "[^"]*" as \S+\./g) ?? [])
  expect(hints).toEqual([
    '--dates DD.MM.YYYY reads "31.03.2026" as 2026-03-31.',
    '--dates DD/MM/YYYY reads "3/1/2026" as 2026-01-03.',
    '--dates MM/DD/YYYY reads "3/1/2026" as 2026-03-01.',
    '--dates "YYYY MM DD" reads "2026 03 31" as 2026-03-31.',
  ])
})

describe('how the first cell of each column was read', () => {
  const contents = sheets(
    [invoice('1', 'EUR', '?'), invoice('2', 'EUR', '1.234,56 €'), invoice('3', 'EUR', '5')],
    {
      'customers-2.csv': sheet('id|created', '2|01.03.2026', '3|02.03.2026'),
      'line_items.csv': sheet('invoice_id|amount|tax_amount', '3|5|', '3|6|0,96'),
    },
  )
  const amounts = [
    'line 3 of invoices.csv: total 1.234,56 € → 1,234.56 EUR',
    'line 2 of line_items.csv: amount 5 → 5.00 EUR',
    'line 3 of line_items.csv: tax_amount 0,96 → 0.96 EUR',
  ]
  const date = 'line 2 of customers-2.csv: created 01.03.2026 → 2026-03-01'
  const isConversion = (text: string) => text.includes(' → ')
  const isNotice = (text: string) => text.includes('days are UTC')

  it.each([
    { options: ['--decimal', ',', '--dry-run'], conversions: amounts },
    { options: ['--decimal', ','], conversions: amounts },
    { options: [...germanOptions, '--dry-run'], conversions: [...amounts, date] },
  ])('is shown on the screen and in the report with $options', async ({ options, conversions }) => {
    const files = writeFiles(contents)
    const folder = files.report.replace('report.ndjson', '')
    const { shown, lines } = await importFiles(client, files, ...options)
    const onScreen = shown.replaceAll(folder, '').split('\n')
    const inReport = lines.flatMap(({ read = [] }) => read).map((text) => text.replace(folder, ''))
    expect(onScreen.filter(isConversion).toSorted()).toEqual(conversions.toSorted())
    expect(inReport.filter(isConversion).toSorted()).toEqual(conversions.toSorted())
    expect(inReport.filter(isNotice)).toEqual(onScreen.filter(isNotice))
  })
})

it('resumes with a report only if its rows were read with the same options', async () => {
  const rows = [invoice('2', 'EUR', '12'), invoice('3', 'EUR', '1234', '01.03.2026')]
  const files = writeFiles(sheets(rows))
  const first = await importFiles(client, files, '--decimal', ',')
  expect(first.counts).toMatchObject({ created: 2, invalid: 1 })
  const expectRefusal = (before: string, ...options: string[]) =>
    expect(importFiles(client, files, ...options)).rejects.toThrow(
      `invoices.csv" that were recorded with ${before}: give the same options, or use a new report`,
    )
  await expectRefusal('--decimal ,')
  await expectRefusal('--decimal ,', '--decimal', '.')
  await expectRefusal('no --dates', ...germanOptions)
  await expectRefusal('no --zone', '--decimal', ',', '--zone', 'Europe/Berlin')
  writeFileSync(files.paths[1]!, sheet(HEADER, ...rows, invoice('4', 'EUR', '5')))
  const extended = await importFiles(client, files, '--decimal', ',')
  expect(extended.counts).toMatchObject({ resumed: 2, created: 1, invalid: 1 })
  // Other files in the same report can be read with other options.
  const { paths } = writeFiles(sheets([invoice('5', 'USD', '1,234.50')]))
  const others = await importFiles(client, { ...files, paths }, '--decimal', '.')
  expect(others.counts).toMatchObject({ created: 1, unchanged: 1 })
})
