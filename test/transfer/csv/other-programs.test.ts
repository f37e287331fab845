import { fieldValue } from '../../../tools/transfer/formats/csv/cell-values.ts'
import { invoiceBody } from '../../support/requests/bodies.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { expectStop, importContents, ndjson, recordedEntity } from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const customers = { 'customers.csv': 'id,name\n42,Ann\n' }
const invoiceHeader = 'id,total,created,period_start,period_end,currency,customer_id,subscription_id'

describe('the time zone of dates', () => {
  const invoices = (created: string) => ({
    ...customers,
    'invoices.csv': `${invoiceHeader}\n1,5,${created},2026-03-01,2026-04-01,EUR,42,s\n`,
  })

  it('is --zone, in which days begin at midnight, also if clocks change in between', async () => {
    const contents = invoices('2026-03-08T01:30')
    const { shown } = await importContents(client, contents, '--zone', 'America/New_York')
    expect(await recordedEntity(client, 'invoices', '1')).toMatchObject({
      created: Date.UTC(2026, 2, 8, 6, 30) / 1_000,
      period_start: Date.UTC(2026, 2, 1, 5) / 1_000,
      period_end: Date.UTC(2026, 3, 1, 4) / 1_000,
    })
    expect(shown).toMatch(/line 2 of .*invoices.csv: period_start 2026-03-01 → 2026-03-01T05:00:00Z\n/)
    expect(shown).not.toContain('days are UTC')
  })

  it.each([
    ['a time with an offset', 'America/Sao_Paulo', '2026-03-08T01:30:00+01:00', Date.UTC(2026, 2, 8, 0, 30)],
    ['a day whose midnight clocks skip', 'America/Sao_Paulo', '2018-11-04', Date.UTC(2018, 10, 4, 3)],
    ['a day whose midnight clocks repeat', 'America/Havana', '2025-11-02', Date.UTC(2025, 10, 2, 4)],
  ])('reads %s in %s as it is meant', async (_, zone, created, moment) => {
    await importContents(client, invoices(created), '--zone', zone)
    expect(await recordedEntity(client, 'invoices', '1')).toMatchObject({ created: moment / 1_000 })
  })

  it.each([
    ['never', '2026-03-08T02:30'],
    ['twice', '2026-11-01T01:30'],
  ])('refuses a time that occurs %s in New York', async (_, created) => {
    const { errors } = await importContents(client, invoices(created), '--zone', 'America/New_York')
    expect(errors).toEqual([
      expect.stringMatching(
        /^created must be a time that occurs once in America\/New_York, .* add its offset/,
      ),
    ])
  })

  it('is UTC without the option, which is shown', async () => {
    const { shown } = await importContents(client, invoices('2026-03-01'))
    expect(shown).toMatch(
      /line 2 of .*invoices.csv: days are UTC; --zone AREA\/CITY reads them in a time zone\n/,
    )
  })
})

describe('a placeholder for no value', () => {
  it.each(['NULL', 'null', '\\N', 'NaN', 'None', '#N/A'])(
    'is refused without quotes, and the message names the option that reads it as empty: %s',
    async (text) => {
      const contents = { 'customers.csv': `id,name,email\n1,${text},a@example.org\n2,"${text}",\n` }
      const { errors, counts } = await importContents(client, contents)
      expect(counts).toMatchObject({ created: 1, invalid: 1 })
      const [, placeholder = ''] =
        /name is .* without quotes, .*: --empty (\S+) reads it as empty/.exec(errors.join()) ?? []
      const again = await importContents(client, contents, '--empty', placeholder.replaceAll(/['"]/g, ''))
      expect(again.counts).toMatchObject({ created: 1, unchanged: 1 })
      expect(await recordedEntity(client, 'customers', '1')).toMatchObject({ name: null })
      expect(await recordedEntity(client, 'customers', '2')).toMatchObject({ name: text })
    },
  )

  it('can be one of several, also in the subscription of an invoice', async () => {
    const contents = {
      ...customers,
      'invoices.csv': `${invoiceHeader}\n1,5,2026-03-01,2026-03-01,2026-04-01,EUR,42,NULL\n`,
    }
    const refused = await importContents(client, contents)
    expect(refused.errors.join()).toContain('subscription_id is NULL without quotes')
    const { errors } = await importContents(client, contents, '--empty', 'n/a', '--empty', 'NULL')
    expect(errors.join(' ')).toMatch(/^subscription_id is required: .*--one-off/)
  })
})

it('reads a number to which a program has added a decimal as an integer, except in a column of amounts', async () => {
  const header = 'id,product_id,currency,price,type,interval,interval_count'
  const price = 'a,p,EUR,1900,recurring,month,3.0\n'
  const contents = { 'products.csv': 'id,name\np,P\n', 'prices.csv': `${header}\n${price}` }
  await importContents(client, contents)
  expect(await recordedEntity(client, 'prices', 'a')).toMatchObject({ interval_count: 3 })
  const amount = { 'prices.csv': `${header}\nb,p,EUR,19.0,recurring,month,1\n` }
  await expect(importContents(client, amount)).rejects.toThrow(
    /price must be an integer.*--decimal \. reads "19.0" as 19\.00 EUR\./,
  )
})

it('reads rows that lack empty cells at the end or have more of them, but not a file that ends within a row', async () => {
  const contents = { 'customers.csv': 'id,name,email\n1,Ann\n2\n3,Cy,c@example.org,,,\n4,Dee' }
  const { lines } = await importContents(client, contents)
  expect(lines).toMatchObject([
    { outcome: 'created' },
    { outcome: 'created' },
    { outcome: 'created' },
    { outcome: 'invalid', errors: ['The file ends within this record, after 2 of 3 cells.'] },
  ])
})

describe('--dates', () => {
  const importDate = (cell: string, dates: string) =>
    importContents(client, { 'customers.csv': `id,created\n1,"${cell}"\n` }, '--dates', dates)

  it.each([
    ['DD.MM.YYYY', '15. 3. 2024', '2024-03-15'],
    ['YYYY. MM. DD.', '2024. 03. 15.', '2024-03-15'],
    ['YYYY.MM.DD', '2024. 3. 15.', '2024-03-15'],
    ['D-MMM-YYYY', '15-Mar-2024', '2024-03-15'],
    ['D MMM YYYY', '15 March 2024', '2024-03-15'],
    ['MMM D, YYYY', 'Mar 15, 2024', '2024-03-15'],
    ['DD/MM/YY', '15/03/24', '2024-03-15'],
    ['D-MMM-YY', '15-MAR-24', '2024-03-15'],
    ['MM/DD/YYYY', '3/15/2024 9:30 PM', '2024-03-15T21:30'],
    ['MM/DD/YYYY', '3/15/2024 12:05:07 AM', '2024-03-15T00:05:07'],
    ['MM/DD/YYYY', '3/15/2024 12:00 p.m.', '2024-03-15T12:00'],
    ['MM/DD/YYYY', '3/15/2024, 9:30 AM', '2024-03-15T09:30'],
    // As Oracle writes times.
    ['DD-MMM-YY', '01-MAR-26 09.30.15.000000 PM', '2026-03-01T21:30:15.000000'],
    ['DD-MMM-YYYY', '01-Mar-2026 09.30', '2026-03-01T09:30'],
  ])('%s reads %s', async (dates, cell, date) => {
    const { shown, counts } = await importDate(cell, dates)
    expect(shown).toContain(`created ${cell} → ${date}\n`)
    expect(counts).toMatchObject({ created: 1 })
  })

  it.each([
    ['DD/MM/YY', '15/03/99'],
    ['D-MMM-YYYY', '15-Foo-2024'],
  ])('%s refuses %s', async (dates, cell) => {
    const { errors } = await importDate(cell, dates)
    expect(errors).toEqual([expect.stringContaining(`created must be a date as ${dates}`)])
  })
})

describe('cells as other programs write them', () => {
  it.each([
    ['t', true],
    ['FALSE', false],
    ['F', false],
    ['yes', 'yes'],
  ])('are the boolean %s, which is read as %j', (cell, value) => {
    expect(fieldValue('active', { type: 'boolean', expects: '' }, cell)).toBe(value)
  })

  it('are words in another case and percentages with a sign', async () => {
    const { counts, errors } = await importContents(client, {
      'products.csv': 'id,name\np,P\n',
      'prices.csv':
        'id,product_id,currency,price,type,interval,interval_count\n1,p,EUR,5,Recurring,Month,1\n',
      'discounts.csv': 'id,name,duration,percent_off,currency\n1,A,Once,20%,XXX\n2,B,FOREVER,5 %,XXX\n',
    })
    expect(errors).toEqual([])
    expect(counts).toMatchObject({ created: 4 })
    expect(await recordedEntity(client, 'prices', '1')).toMatchObject({
      type: 'recurring',
      interval: 'month',
    })
    expect(await recordedEntity(client, 'discounts', '1')).toMatchObject({
      duration: 'once',
      percent_off: 20,
    })
  })

  it('are integers in texts of NDJSON, also in line items, with all their digits', async () => {
    const body = invoiceBody({
      id: '1',
      customer_id: '1',
      total: '-1900',
      line_items: [{ amount: '9007199254740991', quantity: '3' }],
    })
    const { counts } = await importContents(client, {
      'all.ndjson': ndjson([
        ['customer', { id: '1', name: '42' }],
        ['invoice', body],
      ]),
    })
    expect(counts).toMatchObject({ created: 2 })
    expect(await recordedEntity(client, 'customers', '1')).toMatchObject({ name: '42' })
    expect(await recordedEntity(client, 'invoices', '1', 'line_items')).toMatchObject({
      total: -1900,
      line_items: [{ amount: Number.MAX_SAFE_INTEGER, quantity: 3 }],
    })
  })
})

describe('--map with several columns', () => {
  const contents = { 'customers.csv': 'id,First,Last\n1,Ann,Example\n2,,Bob\n' }

  it('joins their texts with a space', async () => {
    const map = ['--map', 'First,Last=name', '--map', 'Last=metadata.last']
    const { counts } = await importContents(client, contents, ...map)
    expect(counts).toMatchObject({ created: 2 })
    expect(await recordedEntity(client, 'customers', '1')).toMatchObject({
      name: 'Ann Example',
      metadata: { last: 'Example' },
    })
    expect(await recordedEntity(client, 'customers', '2')).toMatchObject({ name: 'Bob' })
  })

  it('is refused if the file lacks one of them', () =>
    expectStop(
      contents,
      ['--map', 'First,Middle=name', '--leave-out', 'REST'],
      'no file has a column "First,Middle"',
    ))

  it('maps the one column that has the comma in its name', async () => {
    const named = { 'customers.csv': 'id,"First,Last"\n1,Ann\n' }
    await importContents(client, named, '--map', 'First,Last=name')
    expect(await recordedEntity(client, 'customers', '1')).toMatchObject({ name: 'Ann' })
  })
})
