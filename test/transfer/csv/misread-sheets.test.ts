import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import {
  type Contents,
  expectStop,
  importAs,
  importContents,
  ndjson,
  recordedEntity,
  writeFiles,
} from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const PRICES = 'id,product_id,currency,price,type'
const products = { 'products.csv': 'id,name\np,P\n' }
const prices = (...amounts: readonly string[]): Contents => ({
  ...products,
  'prices.csv': [PRICES, ...amounts.map((amount, index) => `${index},p,EUR,${amount},one_time`), ''].join(
    '\n',
  ),
})

describe('an import stops before the first record, as its dry run does,', () => {
  it.each<{ of: string; contents: Contents; options?: readonly string[]; message: RegExp }>([
    {
      of: 'amounts in the major unit, of which some are whole',
      contents: prices('20', '19.99'),
      message:
        /^line 3 of .*prices.csv: price must be an integer in minor units without --decimal \(got "19.99"\)\. --decimal \. reads "19.99" as 19\.99 EUR\. Nothing is recorded/,
    },
    {
      of: 'amounts with the other decimal separator',
      contents: prices('20', '19.99'),
      options: ['--decimal', ','],
      message: /^line 3 of .*--decimal \. reads "19.99" as 19\.99 EUR\. Nothing is recorded/,
    },
    {
      of: 'a header within the file with its columns in another order',
      contents: {
        'customers.csv': 'id,name,email\n1,Ann,a@example.org\nid,email,name\n2,b@example.org,Bob\n',
      },
      message: /^line 3 of ".*customers.csv" is the header again/,
    },
    {
      of: 'a sum with numbers below the table',
      contents: { 'customers.csv': 'id,name,description\n1,Ann,5\nTotal,,3\n' },
      message: /^line 3 of ".*customers.csv" has nothing but "Total", "3", like a sum under the table/,
    },
    {
      of: 'a sum below the table',
      contents: { 'customers.csv': 'id,name\n1,Ann\nSumme: 3 Kunden,\n' },
      message:
        /^line 3 of ".*customers.csv" has nothing but "Summe: 3 Kunden", like a sum under the table: delete this line/,
    },
    {
      of: 'a title above the header',
      contents: { 'customers.csv': 'Customers 2026\n\nid,name\n1,Ann\n' },
      options: ['--leave-out', 'REST'],
      message:
        /^line 1 of ".*customers.csv" must be the header; line 3 looks like it: delete the lines above it$/,
    },
    {
      of: 'a title above columns that are no fields',
      contents: { 'customers.csv': 'Kunden,\nNummer,Firma\n1,Ann\n' },
      message: /^line 1 of ".*customers.csv" must be the header; line 2 looks like it/,
    },
    {
      of: 'an empty file',
      contents: { 'customers.csv': '' },
      message: /^".*customers.csv" is empty: line 1 must be the header, with names of fields \(id, /,
    },
    {
      of: 'a sheet with nothing but a header',
      contents: { 'customers.csv': 'id,name\n' },
      message: /^".*customers.csv" has no record below its header: if it is complete, leave it out$/,
    },
    {
      of: 'an id with an invisible character in NDJSON',
      contents: {
        'all.ndjson': ndjson([
          ['customer', { id: '1' }],
          ['customer', { id: '4\u200E2' }],
        ]),
      },
      message:
        /^line 2 of .*all.ndjson: id must be an id as it looks \(got "42" with the invisible character U\+200E\).*Nothing is recorded/,
    },
    {
      of: 'an id with an apostrophe in a line item in NDJSON',
      contents: { 'all.ndjson': ndjson([['invoice', { id: '1', line_items: [{ price_id: "'7" }] }]]) },
      message: /^line 1 of .*all.ndjson: price_id must be an id .*apostrophe U\+0027.*Nothing is recorded/,
    },
    {
      of: 'an id with an apostrophe in a list in NDJSON',
      contents: { 'all.ndjson': ndjson([['invoice', { id: '1', discounts: ['a', "'b"] }]]) },
      message: /^line 1 of .*all.ndjson: discounts must be an id .*apostrophe U\+0027/,
    },
    {
      of: 'different values in rows of one id',
      contents: { 'customers.csv': 'id,name\n1,Ann\n1,Bob\n' },
      message:
        /customers.csv: name must be the same in all rows of one id \(got "Ann" in line 2 and "Bob" in line 3\)\. Nothing is recorded$/,
    },
  ])('because of $of', ({ contents, options = [], message }) =>
    expectStop({ ...contents, 'products-2.csv': 'id,name\nfirst,First\n' }, options, message),
  )

  it.each([
    ['id', "'42,Ann", 'with the apostrophe U\\+0027'],
    ['id', '4\u200E2,Ann', 'with the invisible character U\\+200E'],
    ['id', '4\u00A02,Ann', 'with the invisible character U\\+00A0'],
    ['id', '1.23457E+12,Ann', 'got "1.23457E\\+12"'],
    ['id', '"1,23457E+12",Ann', 'got "1,23457E\\+12"'],
    ['id', '42.0,Ann', 'in pandas, dtype=str'],
    ['product_id', '2,5E+15,EUR,1900,one_time', 'all its digits'],
    ['product_id', '2,7.0,EUR,1900,one_time', 'in pandas, dtype=str'],
  ])('because of the %s in the row %s', (field, row, message) =>
    expectStop(
      {
        'products-2.csv': 'id,name\nfirst,First\n',
        ...(field === 'id'
          ? { 'customers.csv': `id,name\n1,Ann\n${row}\n` }
          : { 'prices.csv': `${PRICES}\n1,p,EUR,1900,one_time\n${row}\n` }),
      },
      [],
      new RegExp(`^line 3 of .*: ${field} must be an id.*${message}.*Nothing is recorded`),
    ),
  )
})

it.each<Contents>([{ 'all.ndjson': '' }, { 'all.ndjson': '\n\n', 'more.ndjson': '' }])(
  'stops before the first record if the files have no row',
  (contents) => expectStop(contents, [], /^there are no rows in ".*all\.ndjson"( or ".*more\.ndjson")?$/),
)

it('accepts an empty file next to others, an empty standard input, and a sheet of skipped records', async () => {
  const { paths } = writeFiles({ 'products.ndjson': '', 'all.ndjson': ndjson([['customer', { id: '1' }]]) })
  expect((await importAs(client, paths)).counts).toMatchObject({ rows: 1, created: 1 })
  expect((await importAs(client, ['-'], '')).counts).toMatchObject({ rows: 0 })
  const { paths: sheets } = writeFiles({ 'customers.csv': 'id,State\n1,closed\n' })
  const { counts } = await importAs(client, [...sheets, '--only', 'State=open'])
  expect(counts).toMatchObject({ rows: 0, skipped: { 'customer: State is "closed"': 1 } })
})

it('reads a byte order mark before any line of NDJSON, and names one within a line', async () => {
  const first = ndjson([['customer', { id: '1' }]])
  const second = `\uFEFF${ndjson([['customer', { id: '2' }]])}`
  const { lines } = await importContents(client, { 'all.ndjson': first + second + first.trim() + second })
  expect(lines).toMatchObject([{ outcome: 'created' }, { outcome: 'created' }, { outcome: 'invalid' }])
  expect(lines[2]!.errors).toEqual([
    'The line has the byte order mark U+FEFF within it, as in files that were joined: begin a new line at it.',
  ])
})

it('shows the first of the whole amounts in the major unit', async () => {
  const { paths } = writeFiles(prices('565214', '20'))
  const { counts, shown } = await importAs(client, paths)
  expect(counts).toMatchObject({ created: 3 })
  expect(shown).toMatch(/line 2 of .*prices.csv: price 565214 → 5,652\.14 EUR\n/)
  expect(shown).not.toContain('0.20 EUR')
})

it('keeps the values of an updated customer whose further rows leave repeated cells blank', async () => {
  const contents = { 'customers.csv': 'id,name,email\n1,Ann,a@example.org\n2,Bob,\n1,,\n' }
  const { counts } = await importContents(client, contents, '--update')
  expect(counts).toMatchObject({ rows: 2, created: 2 })
  expect(await recordedEntity(client, 'customers', '1')).toMatchObject({
    name: 'Ann',
    email: 'a@example.org',
  })
})

it('never merges rows without an id, and refuses each', async () => {
  const { lines } = await importContents(client, { 'customers.csv': 'id,name\n,Ann\n,Bob\n' })
  expect(lines).toMatchObject([
    { row: 2, outcome: 'invalid' },
    { row: 3, outcome: 'invalid' },
  ])
})

it('reads headers as they look', async () => {
  const contents = {
    'customers.csv': 'id,Pre\u0301nom,Customer\u00A0name,"E-\n mail"\n1,x,Ann,a@example.org\n',
  }
  const options = ['Prénom=metadata.first', 'Customer name=name', 'E- mail=email'].flatMap((map) => [
    '--map',
    map,
  ])
  await importContents(client, contents, ...options)
  expect(await recordedEntity(client, 'customers', '1')).toMatchObject({
    name: 'Ann',
    email: 'a@example.org',
    metadata: { first: 'x' },
  })
})
