import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { filesOf, importAs, linesOf } from '../importing.ts'

serveForTests()

const INVOICE = 'id,total,created,period_start,period_end,currency,customer_id,subscription_id,discounts'
const FEBRUARY = '2024-01-01,2024-01-01,2024-02-01,eur'

describe('import of CSV', () => {
  it('reads each resource from the file that is named after it, with the types of its fields', async () => {
    const client = await newClient()
    const { paths } = filesOf({
      'invoices.csv.gz': gzipSync(
        `${INVOICE},line_items
7,1900,${FEBRUARY},42,s,"[""half"",7]","[{""id"":""l"",""amount"":1900,""type"":""recurring"",""interval"":""month"",""interval_count"":1}]"
8,1900,${FEBRUARY},42,s,half; 7,
9,1900,${FEBRUARY},42,s,7,
`,
      ),
      'customers-2024.csv':
        '\uFEFFid,name,email,metadata.plan,metadata.a.b\r\n42,"Ann ""A"", Example",,pro,1\r\n\r\n043,"two\nlines",b@example.org,,\r\n',
      'Prices.csv':
        'id\tproduct_id\ttitle\tcurrency\tprice\ttiered\ttype\np\tpro\t\tEUR\t500\tTRUE\tone_time',
      'products.csv': 'id;name\r\n;\r\n"pro";"007"\r\n;;;\r\n\r\n',
      'discounts.csv':
        'id,name,duration,duration_in_months,percent_off,currency\nhalf , Half,repeating,3,50,EUR\n7,Z,once,,5,EUR\n',
    })
    const { counts } = await importAs(client, paths)
    expect(counts).toMatchObject({ rows: 9, created: 9 })
    const invoice = async (id: string) =>
      (await client.get(`/api/invoices/${id}?include=line_items,customer,discounts,external_id`)).json.data
        .invoice
    const discounts = [{ name: 'Half', duration_in_months: 3 }, { external_id: '7' }]
    expect(await invoice('7')).toMatchObject({
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
    expect(await invoice('8')).toMatchObject({ line_items: [], discounts })
    expect(await invoice('9')).toMatchObject({ discounts: [{ external_id: '7' }] })
    expect((await client.get('/api/customers/043')).json.data.customer.name).toBe('two\nlines')
    const price = (await client.get('/api/prices/p?include=product')).json.data.price
    expect(price).toMatchObject({ title: null, tiered: true, product: { name: '007' } })
  })

  it.each([
    ['discounts.csv', 'id,percent_off', 'x,ten', /^percent_off must be an integer/],
    ['discounts.csv', 'id,percent_off', 'x,12345678901234567890', /^percent_off/],
    ['customers.csv', 'id,metadata', 'x,"{""plan"": pro}"', /^metadata must be an object/],
    ['customers.csv', 'id,name', 'x,Ann,,b', /^The record must have 2 cells, .* \(got 4\)/],
    ['products.csv', 'id,name', '1.23457E+12,A', /^id must be an id with all its digits \(got "1.23457E\+/],
    ['products.csv', 'id;name', '1,23457E+12;A', /^id must be an id with all its digits/],
    ['prices.csv', 'id,product_id', 'x,5E+15', /^product_id must be an id with all its digits/],
    ['invoices.csv', 'id,discounts', 'x,a 1.2E+10', /^discounts must be an id with all its digits/],
    ['prices.csv', 'id,product_id', 'E+1X,1E5', /^(?!.*digits)/],
  ])('refuses a record of %s with %s: %s', async (name, header, record, error) => {
    const { paths, report } = filesOf({ [name]: `${header}\r\n${record}\r\n` })
    await importAs(await newClient(), [...paths, '--report', report])
    const lines = linesOf(report).map(({ row, outcome, errors }) => [row, outcome, errors.join(' ')])
    expect(lines).toEqual([[2, 'invalid', expect.stringMatching(error)]])
  })

  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
  const packed = gzipSync('{"type": "x"}')
  const saveAs = 'in Excel, choose "File > Save As > CSV UTF-8 (Comma delimited)"; in LibreOffice'

  it.each<[string, string | Uint8Array, string | RegExp]>([
    [
      'products.csv',
      'id,id\n1,A\n',
      /, the columns "id" and "id" are both id; --map "products:COLUMN=FIELD"/,
    ],
    ['products.csv', 'sep=;\r\nid;name\r\n', /line 1 is "sep=;", which is for Excel .* delete this line/],
    ['products.csv', utf16('id,name\n'), `it is UTF-16, which Excel writes as "Unicode Text"`],
    ['all.ndjson', utf16('{"type":'), 'in PowerShell, end the command with "| Out-File -Encoding utf8'],
    [
      'invoices.xlsx',
      Buffer.from('PK\x03\x04\x14\0', 'latin1'),
      /it is a ZIP archive, as a workbook of Excel/,
    ],
    [
      'sheets.csv',
      Buffer.from(
        'PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0c\0\0\0invoices.csv',
        'latin1',
      ),
      /it is a ZIP archive of files such as "invoices.csv": unpack it/,
    ],
    ['invoices.csv', Buffer.from('d0cf11e0a1b1', 'hex'), `a workbook of an old Excel (.xls): ${saveAs}`],
    ['products.csv', packed, 'it is packed with gzip, so its name must end in .gz'],
    ['people.csv', 'id,name\n1,A\n', /named after its resource: products.csv, .*\(got ".*people.csv"\)/],
    [
      'customers.csv',
      Buffer.from('id\nJ\xf6rg\n', 'latin1'),
      'it must be UTF-8, and byte 2 of line 2 is not',
    ],
    [
      'products.csv',
      'id,name\n1,"A\n',
      /cannot read ".*products.csv": the record that begins in line 2 has an unclosed quote/,
    ],
    [
      'products.csv',
      'id,name\n1,"A\n\nB"\n2,5" pipe\n',
      /the record that begins in line 5 has a quote \("\) in a cell .* such as "5"" pipe"/,
    ],
    ['products.csv', 'id,name\n1,"5" pipe\n', /the record that begins in line 2 has text after the quote/],
    [
      'products.csv',
      'id,name\n1,A\n2,B\rC\n',
      /line 3 has a carriage return \(CR\) within a cell, while other lines end with a line feed/,
    ],
    ['products.csv', `id,name\n${','.repeat(120_000)}\n`, /line 2 has 120001 columns, more than 16384/],
    ['products.csv', `id,name\n1,"${'A'.repeat(1_100_000)}`, /cannot read .*: line 2 is longer than 1048576/],
    ['products.csv.gz', 'id,name\n', /cannot read ".*products.csv.gz": incorrect header check/],
    ['products.ndjson.gz', packed.subarray(0, 20), /cannot read .*: unexpected end of file/],
  ])('records nothing if it cannot read one of the files: %s', async (name, content, message) => {
    const client = await newClient()
    const { paths } = filesOf({ 'customers-1.csv': 'id\n1\n', [name]: content })
    await expect(importAs(client, paths)).rejects.toThrow(message)
    expect((await client.get('/api/customers')).json.data.customers).toEqual([])
  })

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

  it('reports all unknown columns at once, with the options that map them as a shell takes them', async () => {
    const client = await newClient()
    const { paths } = filesOf({
      'customers.csv': 'Kunde;Name;E-Mail;Meta Data.plan;"Ann\'s $"\r\n42;Ann;a@example.org;pro;1\r\n',
      'products.csv': 'ID,constructor\np,P\n',
    })
    const message: string = await importAs(client, paths).then(String, ({ message: text }: Error) => text)
    expect(message).toMatch(
      /in ".*customers.csv", "Kunde", "Name" \(did you mean name\?\), "E-Mail" \(did you mean email\?\), .*; in ".*products.csv", "ID" \(did you mean id\?\), "constructor" are not fields/,
    )
    // The remedy can be pasted as it is. What it does not know, the user adds.
    const [, given = ''] = /: (--map .*)/.exec(message) ?? []
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${given}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
    expect(words.filter((word) => word !== '--map')).toEqual([
      'customers:Name=name',
      'customers:E-Mail=email',
      'customers:Meta Data.plan=metadata.plan',
      'products:ID=id',
      ...['--leave-out', 'REST'],
    ])
    const more = ['--map', 'Kunde=id', '--map', 'constructor=name']
    const { counts } = await importAs(client, [...paths, ...words, ...more])
    expect(counts).toMatchObject({ rows: 2, created: 2 })
    const { customer } = (await client.get('/api/customers/42')).json.data
    expect(customer).toMatchObject({ name: 'Ann', metadata: { plan: 'pro' } })
  })
})
