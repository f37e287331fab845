import { execFileSync } from 'node:child_process'
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

  it('reports the service’s error for a cell, and refuses a record with too few cells', async () => {
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
      [2, 'f', 'invalid', expect.stringMatching(/^metadata must be an object/)],
      [2, 'a', 'invalid', expect.stringMatching(/^percent_off must be an integer/)],
      [3, null, 'invalid', expect.stringMatching(/^The record must have 5 cells/)],
      [4, 'd', 'created', ''],
      [5, 'e', 'invalid', expect.stringMatching(/^percent_off/)],
    ])
  })

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])(
    'reads %s as delimiters, which localised versions of Excel write, and renamed columns',
    async (_, sign) => {
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
    },
  )

  it.each([
    [
      'products.csv',
      'id,constructor\n1,A\n',
      /"constructor" is not a field \(id, name.*"products:constructor=FIELD"/,
    ],
    [
      'products.csv',
      'id,id\n1,A\n',
      /in ".*products.csv", the columns "id" and "id" are both id; --map "COLUMN=FIELD"/,
    ],
    [
      'products.csv',
      'sep=;\r\nid;name\r\n',
      /line 1 is "sep=;", which is for Excel alone .* delete this line/,
    ],
    [
      'products.csv',
      Buffer.from('\uFEFFid,name\n', 'utf16le'),
      /it is UTF-16, which Excel writes .* > CSV UTF-8/,
    ],
    [
      'history.ndjson',
      Buffer.from('\uFEFF{"type":', 'utf16le'),
      /PowerShell, end the command with "| Out-File -Encoding utf8/,
    ],
    [
      'invoices.xlsx',
      Buffer.from('PK\x03\x04\x14\0', 'latin1'),
      /it is a ZIP archive, as a workbook of Excel .* "File > Save As/,
    ],
    [
      'invoices.csv',
      Buffer.from('d0cf11e0a1b1', 'hex'),
      /it is a workbook of an old Excel \(.xls\): in Excel/,
    ],
    ['products.csv', gzipSync('id,name\n'), /it is packed with gzip, so its name must end in .gz/],
    ['people.csv', 'id,name\n1,A\n', /named after its resource: products.csv, .*\(got ".*people.csv"\)/],
    [
      'customers.csv',
      Buffer.from('id,name\n1,J\xf6rg\n', 'latin1'),
      /customers.csv": it must be UTF-8, and byte 4 of line 2 is not; it may be ANSI, .* "File > Save As > CSV UTF-8/,
    ],
    ['products.csv', 'id,name\n1,"A\n', /cannot read ".*products.csv": .*[Qq]uote/],
    ['products.csv', `id,name\n1,"${'A'.repeat(1_100_000)}`, /cannot read .*: line 2 is longer than 1048576/],
    ['products.csv.gz', 'id,name\n', /cannot read ".*products.csv.gz": incorrect header check/],
    [
      'products.ndjson.gz',
      gzipSync('{"type": "x"}').subarray(0, 20),
      /cannot read .*: unexpected end of file/,
    ],
  ])('records nothing if it cannot read one of the files: %s', async (name, content, message) => {
    const client = await newClient()
    const { paths } = filesOf({ 'customers-1.csv': 'id\n1\n', [name]: content })
    await expect(importAs(client, paths)).rejects.toThrow(message)
    expect((await client.get('/api/customers')).json.data.customers).toEqual([])
  })
})

describe('the cells of a spreadsheet', () => {
  it('reads TRUE, several discounts in a cell, and skips empty rows', async () => {
    const client = await newClient()
    const { paths } = filesOf({
      'products.csv': 'id;name\r\n;\r\n"p";"P"\r\n;;;\r\n\r\n',
      'prices.csv':
        'id;product_id;currency;price;tiered;type\r\na;p;EUR;1;TRUE;one_time\r\nb;p;EUR;1;False;one_time\r\n',
      'customers.csv': 'id\n42\n',
      'discounts.csv':
        'id,name,duration,percent_off,currency\nx,X,once,5,EUR\ny,Y,once,5,EUR\n7,Z,once,5,EUR\n',
      'invoices.csv': `id,total,created,period_start,period_end,currency,customer_id,subscription_id,discounts
1,1,2024-01-01,2024-01-01,2024-02-01,EUR,42,s,x; y
2,1,2024-01-01,2024-01-01,2024-02-01,EUR,42,s,7
3,1,2024-01-01,2024-01-01,2024-02-01,EUR,42,s,"[""y"",7]"
4,1,2024-01-01,2024-01-01,2024-02-01,EUR,42,s,
`,
    })
    const { counts } = await importAs(client, paths)
    expect(counts).toMatchObject({ rows: 11, created: 11 })
    const { json } = await client.get('/api/invoices?include=discounts,external_id')
    const discounts = json.data.invoices.map(
      (each: { external_id: string; discounts: { external_id: string }[] }) => [
        each.external_id,
        ...each.discounts.map(({ external_id }) => external_id),
      ],
    )
    expect(discounts.sort()).toEqual([['1', 'x', 'y'], ['2', '7'], ['3', 'y', '7'], ['4']])
    const { prices } = (await client.get('/api/prices')).json.data
    expect(prices.map(({ tiered }: { tiered: boolean }) => tiered).sort()).toEqual([false, true])
  })

  it.each([
    ['customers.csv', 'id,name', '1.23457E+12,A', 'id'],
    ['customers.csv', 'id;name', '1,23457E+12;A', 'id'],
    ['prices.csv', 'id,product_id', 'p,5E+15', 'product_id'],
    ['invoices.csv', 'id,discounts', '1,a 1.2E+10', 'discounts'],
  ])(
    'refuses an id whose last digits a spreadsheet has lost: %s, %s, %s',
    async (name, header, cells, field) => {
      const { paths, report } = filesOf({
        [name]: `${header}\n${cells}\nE+1X,1E5\n`.replaceAll('\n', '\r\n'),
      })
      await importAs(await newClient(), [...paths, '--report', report])
      const [first, second] = linesOf(report).sort((a, b) => a.row - b.row)
      expect(first!.errors.join()).toMatch(
        new RegExp(`^${field} must be an id with all its digits \\(got ".*E\\+1`),
      )
      expect(second!.errors.join()).not.toMatch(/digits/)
    },
  )

  it.each([
    ['line feeds', '\n'],
    ['carriage returns and line feeds', '\r\n'],
  ])('numbers rows by the lines of the file, with %s', async (_, end) => {
    const records = ['id,name', '1,""', '', '"2","two', 'lines"', ',', '', '', '3,x,y', '4,x,y']
    const { paths } = filesOf({ 'customers.csv': records.join(end) })
    const { shown } = await importAs(await newClient(), paths)
    expect(shown).toMatch(/customers.csv, line 9 \(customer\): invalid/)
    expect(shown).toMatch(/customers.csv, line 10 \(customer\): invalid/)
  })

  it('refuses --map to a field that does not exist, and suggests a similar one', async () => {
    const { paths } = filesOf({ 'customers.csv': 'id,Kunde\n1,Ann\n' })
    await expect(importAs(await newClient(), [...paths, '--map', 'Kunde=nme'])).rejects.toThrow(
      /"Kunde" as "nme" \(did you mean name\?\) is not a field .*--map "customers:Kunde=name"/,
    )
  })

  it('reports all unknown columns at once, with the options that map them', async () => {
    const client = await newClient()
    const { paths } = filesOf({
      'customers.csv': 'Kunde;Name;E-Mail;Meta Data.plan;"Ann\'s $"\r\n42;Ann;a@example.org;pro;1\r\n',
      'products.csv': 'ID,Kunde\np,P\n',
    })
    const message: string = await importAs(client, paths).then(String, ({ message: text }: Error) => text)
    expect(message).toMatch(
      /in ".*customers.csv", "Kunde", "Name" \(did you mean name\?\), "E-Mail" \(did you mean email\?\), .*; in ".*products.csv", "ID" \(did you mean id\?\), "Kunde" are not fields/,
    )
    // As a shell takes them, into which a person pastes them.
    const [, given = ''] = /: (--map .*)/.exec(message) ?? []
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${given}`], { encoding: 'utf8' }).split('\n')
    const options = words.filter((word) => word !== '' && word !== '--map')
    expect(options).toEqual([
      'customers:Kunde=FIELD',
      'customers:Name=name',
      'customers:E-Mail=email',
      'customers:Meta Data.plan=metadata.plan',
      "customers:Ann's $=FIELD",
      'products:ID=id',
      'products:Kunde=FIELD',
    ])
    const filled = options.map((option) =>
      option
        .replace(/^(customers:Kunde)=FIELD/, '$1=id')
        .replace(/^(products:Kunde)=FIELD/, '$1=name')
        .replace('FIELD', ''),
    )
    const { counts } = await importAs(client, [...paths, ...filled.flatMap((option) => ['--map', option])])
    expect(counts).toMatchObject({ rows: 2, created: 2 })
    expect((await client.get('/api/customers/42')).json.data.customer).toMatchObject({
      name: 'Ann',
      metadata: { plan: 'pro' },
    })
  })
})
