import { writeFileSync } from 'node:fs'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { filesOf, importAs, linesOf, ndjson } from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

/** Returns rows, whose cells are separated by bars, as a German Excel saves them: a byte order mark, semicolons and CRLF. */
const sheet = (...rows: readonly string[]): string =>
  `\uFEFF${rows.map((row) => `${row.replaceAll('|', ';')}\r\n`).join('')}`

const HEADER = 'id|customer_id|subscription_id|created|period_start|period_end|currency|total'
const invoice = (id: string, currency: string, total: string, created = '2026-03-01'): string =>
  [id, '1', 's', created, '2026-03-01', '2026-04-01', currency, total].join('|')

/** Writes sheets of a customer and of invoices, and more files. */
const sheets = (invoices: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  filesOf({ 'customers.csv': sheet('id', '1'), 'invoices.csv': sheet(HEADER, ...invoices), ...more })

/** Imports files. Returns what the report and the screen show, and all errors of the invoices in the report. */
const importing = async ({ paths, report }: ReturnType<typeof filesOf>, ...options: readonly string[]) => {
  const { counts, shown } = await importAs(client, [...paths, '--report', report, ...options])
  const lines = linesOf(report).sort((a, b) => a.row - b.row)
  return {
    counts,
    shown,
    lines,
    errors: lines.flatMap(({ type, errors }) => (type === 'invoice' ? errors : [])),
  }
}

const find = async (plural: string, id: string, query = '') =>
  Object.values((await client.get(`/api/${plural}/${id}${query}`)).json.data)[0]

const germanOptions = ['--decimal', ',', '--dates', 'DD.MM.YYYY']

it('reads every column of amounts and dates: those of lines by the currency of their invoice or their own', async () => {
  const dates = (row: string) => row.replaceAll('2026-03-01', '01.03.2026').replace('2026-04-01', '1.4.2026')
  const { paths } = sheets([dates(invoice('R', 'jpy', '4.800 ¥'))], {
    'customers-2.csv': sheet('id|created|metadata.paid|metadata.on', '2|1.3.2026|1.234,56 €|01.03.2026'),
    'products.csv': sheet('id|name', 'p|5,00'),
    'prices.csv': sheet('id|product_id|currency|price|type', 'q|p|EUR|9,99 €|one_time'),
    'discounts.csv': sheet('id|name|duration|currency|amount_off', 'a|A|once|KWD|1,5'),
    'line_items.csv': sheet(
      'invoice_id|amount|discount_amount|tax_amount|currency|quantity|price_id|period_start|period_end',
      'R|4.800|(100)|||3|q|01.03.2026|31.3.2026',
      'R|29,99||1,00|EUR||||',
    ),
    // In NDJSON, nothing is read otherwise.
    'all.ndjson': ndjson([
      ['price', { id: 'n', product_id: 'p', currency: 'EUR', price: 5, type: 'one_time' }],
    ]),
  })
  for (const outcome of ['created', 'unchanged']) {
    const { counts } = await importAs(client, [...paths, ...germanOptions])
    expect(counts).toMatchObject({ rows: 7, [outcome]: 7 })
  }
  const [first, last] = [Date.UTC(2026, 2, 1) / 1_000, Date.UTC(2026, 2, 31) / 1_000]
  expect(await find('invoices', 'R', '?include=line_items')).toMatchObject({
    ...{ total: 4800, created: first },
    line_items: [
      { amount: 4800, discount_amount: -100, quantity: 3, period_start: first, period_end: last },
      { amount: 2999, discount_amount: null, tax_amount: 100, currency: 'EUR', period_start: null },
    ],
  })
  expect([await find('prices', 'q'), await find('prices', 'n')]).toMatchObject([{ price: 999 }, { price: 5 }])
  expect(await find('discounts', 'a')).toMatchObject({ amount_off: 1500 })
  expect(await find('customers', '2')).toMatchObject({ metadata: { paid: '1.234,56 €', on: '01.03.2026' } })
})

it.each<[string, string, string, RegExp]>([
  [',', 'EUR', '1.23', /at most 2 digits after ",", such as "1\.234,00" \(got .*\. reads "1\.23" as 123\.$/],
  [',', 'JPY', '48,5', /amount of JPY with at most 0 digits after ",", such as "1\.234" \(got "48,5"\)\.$/],
  ['.', 'KWD', '1.2345', /with at most 3 digits after "\.", such as "1,234\.000" \(got "1\.2345"\)\.$/],
  ['.', '', '5', /^currency must be an ISO 4217 code.* minor units the total "5" is \(got ""\)\.$/],
  ['.', 'Euro', '5', /^currency must be an ISO 4217 code.* \(got "Euro"\)/],
  ['.', 'USD', '90,071,992,547,409.92', /^total must be an integer in minor units .*9007199254740992/],
])('with --decimal %s, refuses %s %s and names what would be right', async (decimal, unit, total, error) => {
  const { lines, errors } = await importing(sheets([invoice('1', unit, total)]), '--decimal', decimal)
  expect(lines.at(-1)).toMatchObject({ row: 2, outcome: 'invalid' })
  expect(errors.join(' ')).toMatch(error)
})

it('refuses lines as JSON with --decimal, and the second of two invoices with one id', async () => {
  const row = `${invoice('1', 'EUR', '5')}|"[{""amount"":19}]"`
  const inRow = filesOf({ 'invoices.csv': sheet(`${HEADER}|line_items`, row) })
  expect((await importing(inRow, '--decimal', ',')).errors).toEqual([
    expect.stringMatching(/^line_items must be in a file of their own with --decimal, since amounts in JSON/),
  ])
  const rows = [invoice('1', 'EUR', '5'), invoice('1', 'JPY', '5')]
  const files = sheets(rows, { 'line_items.csv': sheet('invoice_id|amount', '1|5') })
  // Each row has its lines in its own currency.
  const conflict = expect.stringMatching(/^id must be unused/)
  expect((await importing(files, '--decimal', ',')).errors).toEqual([conflict])
})

it.each([
  ['DD.MM.YYYY', '31.03.2026|1.3.2026|01.03.2026 09:30|01.03.2026 9:30:15|01.03.2026T09:30:00+01:00'],
  ['MM/DD/YYYY', '03/31/2026|3/1/2026|3/1/2026 9:30|03/01/2026 09:30:15|3/1/2026 09:30:00 +01:00'],
  ['DD-MM-YYYY', '31-3-2026|1-3-2026|1-3-2026 09:30|1-3-2026 09:30:15|1-3-2026 09:30:00+01'],
  ['YYYY MM DD', '2026 03 31|2026 3 1|2026 3 1 9:30|2026 03 01 09:30:15|2026 03 01 09:30:00+01:00'],
  ['YYYY/DD/MM', '2026/31/03|2026/1/3|2026/1/3 9:30|2026/01/03 09:30:15|2026/01/03 09:30:00+0100'],
])('reads dates as %s, with the single digits of spreadsheets and with times', async (dates, cells) => {
  const rows = cells.split('|').map((cell, index) => `${index}|${cell}`)
  const { paths } = filesOf({ 'customers.csv': sheet('id|created', ...rows), 'r.ndjson': '' })
  await importAs(client, [...paths, '--dates', dates])
  const times = ['2026-03-31', '2026-03-01', '2026-03-01T09:30Z', '2026-03-01T09:30:15Z', '2026-03-01T08:30Z']
  const bodies = times.map((created, id) => ['customer', { id, created }] as const)
  const { counts } = await importAs(client, filesOf({ 'same.ndjson': ndjson(bodies) }).paths)
  expect(counts).toMatchObject({ unchanged: 5 })
})

it('refuses what is no day and time as --dates says', async () => {
  const cells =
    '2026-03-01|1/3/2026|01.03.26|31.02.2026|1.3.2026 25:00|1.3.2026x|46082|01.03.2026 13:30 PM'.split('|')
  const { errors } = await importing(
    sheets(cells.map((cell, id) => invoice(`${id}`, 'EUR', '1', cell))),
    ...germanOptions,
  )
  expect(errors.map((error) => error.split(' --dates ')[0])).toEqual(
    cells.map((cell) =>
      expect.stringContaining(`created must be a date as DD.MM.YYYY, such as "31.01.2024" (got "${cell}").`),
    ),
  )
})

it('records nothing if a day stands where the month should, since other days would be taken for months', async () => {
  const rows = [invoice('1', 'EUR', '1', '3/1/2026'), invoice('2', 'EUR', '1', '13/1/2026')]
  for (const more of [[], ['--dry-run']])
    await expect(importing(sheets(rows), '--dates', 'MM/DD/YYYY', ...more)).rejects.toThrow(
      /^line 3 of .*invoices.csv: created must be a date as MM\/DD\/YYYY, .* \(got "13\/1\/2026"\)\. --dates DD\/MM\/YYYY reads "13\/1\/2026" as 2026-01-13\. Nothing is recorded/,
    )
  expect((await client.get('/api/customers')).json.data.customers).toEqual([])
})

it('names the options that would read what it refuses without them, and no others', async () => {
  const rows = [
    invoice('1', 'EUR', '19,00', '31.03.2026'),
    invoice('2', 'EUR', '$5', '3/1/2026'),
    invoice('3', 'EUR', '1', '2026 03 31'),
    invoice('4', '', '19,00'),
  ]
  const files = sheets(rows, { 'line_items.csv': sheet('invoice_id|amount', '3|1,234.50 €') })
  const { errors } = await importing(files, '--from', 'csv')
  expect(
    errors.flatMap((error) => error.match(/--\w+ \S+ (\w+ \w+" )?reads "[^"]*" as \S+\./g) ?? []),
  ).toEqual([
    '--dates DD.MM.YYYY reads "31.03.2026" as 2026-03-31.',
    '--decimal , reads "19,00" as 1900.',
    '--dates DD/MM/YYYY reads "3/1/2026" as 2026-01-03.',
    '--dates MM/DD/YYYY reads "3/1/2026" as 2026-03-01.',
    '--dates "YYYY MM DD" reads "2026 03 31" as 2026-03-31.',
    '--decimal . reads "1,234.50 €" as 123450.',
  ])
})

it('shows how the first cell of each column was read, on the screen and in the report, in a dry run too', async () => {
  const rows = [invoice('1', 'EUR', '?'), invoice('2', 'EUR', '1.234,56 €'), invoice('3', 'EUR', '5')]
  const { paths, report } = sheets(rows, {
    'customers-2.csv': sheet('id|created', '2|01.03.2026', '3|02.03.2026'),
    'line_items.csv': sheet('invoice_id|amount|tax_amount', '3|5|', '3|6|0,96'),
  })
  const folder = paths[0]!.replace('customers.csv', '')
  const date = `line 2 of ${folder}customers-2.csv: created 01.03.2026 → 2026-03-01`
  const amounts = [
    `line 3 of ${folder}invoices.csv: total 1.234,56 € → 123456`,
    `line 2 of ${folder}line_items.csv: amount 5 → 500`,
    `line 3 of ${folder}line_items.csv: tax_amount 0,96 → 96`,
  ]
  for (const [index, [read, ...options]] of [
    [amounts, '--decimal', ',', '--dry-run'] as const,
    [amounts, '--decimal', ','] as const,
    [[date], '--dates', 'DD.MM.YYYY', '--dry-run'] as const,
  ].entries()) {
    const { shown, lines } = await importing({ paths, report: `${report}.${index}` }, ...options)
    expect(shown.split('\n').filter((line) => line.includes(' → '))).toEqual(read)
    const reported = lines.flatMap((line) => line.read ?? [])
    expect(reported.filter((text) => text.includes(' → '))).toEqual(read)
    expect(reported.filter((text) => text.includes('days are UTC'))).toHaveLength(
      shown.split('days are UTC').length - 1,
    )
  }
})

it('resumes with a report only as its rows were read, so that no import mixes two ways to read', async () => {
  const rows = [invoice('2', 'EUR', '12,34'), invoice('3', 'EUR', '1234', '01.03.2026')]
  const files = sheets(rows)
  // Nothing that contains an amount is recorded.
  expect((await importing(files)).counts).toMatchObject({ created: 1, invalid: 2 })
  const next = (await importing(files, '--decimal', ',')).counts
  expect(next).toMatchObject({ resumed: 1, created: 1, invalid: 1 })
  for (const [was, ...options] of [
    ['--decimal ,'],
    ['--decimal ,', '--decimal', '.'],
    ['no --dates', ...germanOptions],
  ])
    await expect(importing(files, ...options)).rejects.toThrow(
      `invoices.csv" that were recorded with ${was}: give the same options, or begin a new report`,
    )
  writeFileSync(files.paths[1]!, sheet(HEADER, ...rows, invoice('4', 'EUR', '5')))
  const last = (await importing(files, '--decimal', ',')).counts
  expect(last).toMatchObject({ resumed: 2, created: 1, invalid: 1 })
  // Other files in the same report may be read in another way.
  const { paths } = sheets([invoice('5', 'USD', '1,234.50')])
  const others = (await importing({ ...files, paths }, '--decimal', '.')).counts
  expect(others).toMatchObject({ created: 1, unchanged: 1 })
})
