import { gzipSync } from 'node:zlib'
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
      'Prices.csv':
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
