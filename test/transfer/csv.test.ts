import { gzipSync } from 'node:zlib'
import { filesOf, importAs, linesOf } from '../support/importing.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

describe('import of CSV', () => {
  it('reads each resource from the file that is named after it, with the types of its fields', async () => {
    const client = await newClient()
    const { paths } = filesOf({
      'invoices.csv.gz': gzipSync(
        `id,total,created,period_start,period_end,currency,customer_id,subscription_id,discounts,line_items
7,1900,2024-01-01,2024-01-01,2024-02-01,eur,42,s,"[""half""]","[{""id"":""l"",""amount"":1900,""type"":""recurring"",""interval"":""month"",""interval_count"":1}]"
`,
      ),
      'customers-2024.csv':
        '\uFEFFid,name,email,metadata.plan,metadata.a.b\r\n42,"Ann ""A"", Example",,pro,1\r\n\r\n043,"two\nlines",b@example.org,,\r\n',
      'Prices.csv': 'id,product_id,title,currency,price,tiered,type\np,pro,,EUR,500,true,one_time',
      'products.csv': 'id,name\npro,007\n',
      'discounts.csv':
        'id,name,duration,duration_in_months,percent_off,currency\nhalf,Half,repeating,3,50,EUR\n',
    })
    const { counts } = await importAs(client, paths)
    expect(counts).toMatchObject({ rows: 6, created: 6 })
    const { json } = await client.get('/api/invoices/7?include=line_items,customer,discounts,external_id')
    expect(json.data.invoice).toMatchObject({
      external_id: '7',
      total: 1900,
      line_items: [{ id: 'l', amount: 1900, interval_count: 1 }],
      customer: {
        external_id: '42',
        name: 'Ann "A", Example',
        email: null,
        metadata: { plan: 'pro', 'a.b': '1' },
      },
      discounts: [{ name: 'Half', duration_in_months: 3 }],
    })
    expect((await client.get('/api/customers/043')).json.data.customer.name).toBe('two\nlines')
    const price = (await client.get('/api/prices/p?include=product')).json.data.price
    expect(price).toMatchObject({ title: null, tiered: true, product: { name: '007' } })
  })

  it('reports the service’s error for a cell, and refuses records that cannot be read', async () => {
    const { paths, report } = filesOf({
      'discounts.csv': `id,name,duration,percent_off,currency
a,A,once,ten,EUR
c,C,once,10
d , D,once,10, EUR
e,E,once,12345678901234567890,EUR
`,
      'customers.csv': 'id,metadata\nf,"{""plan"": pro}"\n',
    })
    await importAs(await newClient(), [...paths, '--report', report])
    const lines = linesOf(report).sort((a, b) => a.file.localeCompare(b.file) || a.row - b.row)
    expect(
      lines.map(({ row, id, outcome, errors }) => [row, id, outcome, errors.join(' ').slice(0, 40)]),
    ).toEqual([
      [1, 'f', 'invalid', expect.stringMatching(/^metadata must be an object/)],
      [1, 'a', 'invalid', expect.stringMatching(/^percent_off must be an integer/)],
      [2, null, 'invalid', expect.stringMatching(/^The record must have 5 cells/)],
      [3, 'd', 'created', ''],
      [4, 'e', 'invalid', expect.stringMatching(/^percent_off/)],
    ])
  })

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('reads %s, as localised versions of Excel write, and renamed columns', async (_, sign) => {
    const client = await newClient()
    const records = [
      ['Customer ID', 'name', 'Notes', 'metadata.plan', ''],
      ['1', '"Example, Ann"', 'x', 'pro', ''],
    ]
    const { paths } = filesOf({ 'customers.csv': records.map((cells) => cells.join(sign)).join('\r\n') })
    const { counts } = await importAs(client, [...paths, '--map', 'Customer ID=id', '--map', 'Notes='])
    expect(counts).toMatchObject({ rows: 1, created: 1 })
    const shown = { name: 'Example, Ann', metadata: { plan: 'pro' } }
    expect((await client.get('/api/customers/1')).json.data.customer).toMatchObject(shown)
  })

  it.each([
    [
      'products.csv',
      'id,nmae\n1,A\n',
      /the column "nmae" is not a field \(id, name.*\); --map "nmae=FIELD" names/,
    ],
    ['products.csv', 'id,constructor\n1,A\n', /the column "constructor" is not a field/],
    ['people.csv', 'id,name\n1,A\n', /named after its resource: products.csv, .*\(got ".*people.csv"\)/],
    [
      'customers.csv',
      Buffer.from('id,name\n1,J\xf6rg\n', 'latin1'),
      /cannot read ".*customers.csv": it must be UTF-8, and byte 4 of line 2 is not/,
    ],
    ['products.csv', 'id,name\n1,"A\n', /cannot read ".*products.csv": .*[Qq]uote/],
    ['products.csv', `id,name\n1,"${'A'.repeat(1_100_000)}`, /cannot read .*: line 2 is longer than 1048576/],
    ['products.csv.gz', 'id,name\n', /cannot read ".*products.csv.gz": incorrect header check/],
    [
      'products.ndjson.gz',
      gzipSync('{"type": "x"}').subarray(0, 20),
      /cannot read .*: unexpected end of file/,
    ],
  ])('records nothing if it cannot read a file: %s', async (name, content, message) => {
    const client = await newClient()
    const { paths } = filesOf({ 'customers-1.csv': 'id\n1\n', [name]: content })
    await expect(importAs(client, paths)).rejects.toThrow(message)
    expect((await client.get('/api/customers')).json.data.customers).toEqual([])
  })
})
