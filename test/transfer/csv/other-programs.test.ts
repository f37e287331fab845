import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { filesOf, importAs, linesOf } from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

/** Imports files. Returns the counts, what was shown, the lines of the report, and all errors. */
const importing = async (contents: Readonly<Record<string, string>>, ...options: string[]) => {
  const { paths, report } = filesOf(contents)
  const { counts, shown } = await importAs(client, [...paths, '--report', report, ...options])
  const lines = linesOf(report).sort((a, b) => a.row - b.row)
  return { counts, shown, lines, errors: lines.flatMap(({ errors }) => errors) }
}

const find = async (plural: string, id: string, query = '') =>
  Object.values((await client.get(`/api/${plural}/${id}${query}`)).json.data)[0] as Record<string, unknown>

const customers = { 'customers.csv': 'id,name\n42,Ann\n' }
const INVOICE = 'id,total,created,period_start,period_end,currency,customer_id,subscription_id'

describe('the time zone of dates', () => {
  const row = (created: string) => `1,5,${created},2026-03-01,2026-04-01,EUR,42,s`
  const invoices = (created: string) => ({ ...customers, 'invoices.csv': `${INVOICE}\n${row(created)}\n` })

  it('takes days as midnight in --zone, also where clocks are changed in between', async () => {
    const { shown } = await importing(invoices('2026-03-08T01:30'), '--zone', 'America/New_York')
    expect(await find('invoices', '1')).toMatchObject({
      created: Date.UTC(2026, 2, 8, 6, 30) / 1_000,
      period_start: Date.UTC(2026, 2, 1, 5) / 1_000,
      period_end: Date.UTC(2026, 3, 1, 4) / 1_000,
    })
    expect(shown).toMatch(/line 2 of .*invoices.csv: period_start 2026-03-01 → 2026-03-01T05:00:00Z\n/)
    expect(shown).not.toContain('days are UTC')
  })

  it.each([
    ['a date says its own zone', '2026-03-08T01:30:00+01:00', Date.UTC(2026, 2, 8, 0, 30)],
    ['a day begins when clocks are put forward', '2018-11-04', Date.UTC(2018, 10, 4, 3)],
  ])('reads it as meant if %s', async (_, created, moment) => {
    await importing(invoices(created), '--zone', 'America/Sao_Paulo')
    expect(await find('invoices', '1')).toMatchObject({ created: moment / 1_000 })
  })

  it.each(['2026-03-08T02:30', '2026-11-01T01:30'])(
    'refuses %s in New York, which occurs twice or not at all',
    async (created) => {
      const { errors } = await importing(invoices(created), '--zone', 'America/New_York')
      expect(errors).toEqual([
        expect.stringMatching(
          /^created must be a time that occurs once in America\/New_York, .* add its offset/,
        ),
      ])
    },
  )

  it('says that days are UTC without the option, and resumes with the same zone only', async () => {
    const { paths, report } = filesOf(invoices('2026-03-01'))
    const command = [...paths, '--report', report]
    const { shown } = await importAs(client, command)
    expect(shown).toMatch(
      /line 2 of .*invoices.csv: days are UTC; --zone AREA\/CITY reads them in a time zone\n/,
    )
    expect(
      linesOf(report)
        .flatMap(({ read = [] }) => read)
        .join(),
    ).toContain('days are UTC')
    await expect(importAs(client, [...command, '--zone', 'Europe/Berlin'])).rejects.toThrow(
      'that were recorded with no --zone: give the same options, or begin a new report',
    )
  })
})

describe('what other programs write', () => {
  it.each(['NULL', 'null', '\\N', 'NaN', 'None', '#N/A'])(
    'refuses %s without quotes, and names the option that reads it as empty',
    async (text) => {
      const files = { 'customers.csv': `id,name,email\n1,${text},a@example.org\n2,"${text}",\n` }
      const { errors, counts } = await importing(files)
      expect(counts).toMatchObject({ created: 1, invalid: 1 })
      const [, option = ''] = /name is .* without quotes, .*: --empty (\S+) reads it as empty/.exec(
        errors.join(),
      )!
      const found = await importing(files, '--empty', option.replaceAll("'", ''))
      expect(found.counts).toMatchObject({ created: 1, unchanged: 1 })
      expect([await find('customers', '1'), await find('customers', '2')]).toMatchObject([
        { name: null },
        { name: text },
      ])
    },
  )

  it('takes several texts as empty, also as the subscription of an invoice', async () => {
    const files = {
      ...customers,
      'invoices.csv': `${INVOICE}\n1,5,2026-03-01,2026-03-01,2026-04-01,EUR,42,NULL\n`,
    }
    expect((await importing(files)).errors.join()).toContain('subscription_id is NULL without quotes')
    const { errors } = await importing(files, '--empty', 'n/a', '--empty', 'NULL')
    expect(errors.join(' ')).toMatch(/^subscription_id is required: .*--one-off/)
  })

  it.each([
    ['id', 'customers.csv', 'id\n42.0\n'],
    ['product_id', 'prices.csv', 'id,product_id,currency,price,type\np,7.0,EUR,5,one_time\n'],
  ])('refuses an %s to which pandas has added a decimal', async (name, file, content) => {
    const { errors } = await importing({ [file]: content })
    expect(errors).toEqual([
      expect.stringMatching(`^${name} must be an id as you use it .*in pandas, dtype=str`),
    ])
  })

  it('reads 1.0 as 1 in a column of integers, but not in one of amounts', async () => {
    const header = 'id,product_id,currency,price,type,interval,interval_count'
    const files = {
      'products.csv': 'id,name\np,P\n',
      'prices.csv': `${header}\na,p,EUR,1900,recurring,month,3.0\nb,p,EUR,19.0,recurring,month,1\n`,
    }
    const { errors } = await importing(files)
    expect(await find('prices', 'a')).toMatchObject({ interval_count: 3 })
    expect(errors.join(' ')).toMatch(/^price must be an integer.*--decimal \. reads "19.0" as 1900\.$/)
  })

  it('reads rows that lack empty cells at the end, or have more of them, but not a file that ends within a row', async () => {
    const files = { 'customers.csv': 'id,name,email\n1,Ann\n2\n3,Cy,c@example.org,,,\n4,Dee' }
    const { lines } = await importing(files)
    expect(lines.map(({ outcome, errors }) => [outcome, ...errors])).toEqual([
      ['created'],
      ['created'],
      ['created'],
      ['invalid', 'The file ends within this record, after 2 of 3 cells.'],
    ])
  })

  it.each([
    ['DD.MM.YYYY', '15. 3. 2024'],
    ['YYYY. MM. DD.', '2024. 03. 15.'],
    ['YYYY.MM.DD', '2024. 3. 15.'],
    ['D-MMM-YYYY', '15-Mar-2024'],
    ['D MMM YYYY', '15 March 2024'],
    ['MMM D, YYYY', 'Mar 15, 2024'],
    ['DD/MM/YY', '15/03/24'],
    ['D-MMM-YY', '15-MAR-24'],
  ])('reads dates as %s: %s', async (dates, cell) => {
    const files = { 'customers.csv': `id,created\n1,"${cell}"\n` }
    const { shown } = await importing(files, '--dates', dates)
    expect(shown).toContain(`created ${cell} → 2024-03-15\n`)
  })

  it.each([
    ['3/15/2024 9:30 PM', '2024-03-15T21:30'],
    ['3/15/2024 12:05:07 AM', '2024-03-15T00:05:07'],
    ['3/15/2024 12:00 p.m.', '2024-03-15T12:00'],
    ['3/15/2024, 9:30 AM', '2024-03-15T09:30'],
  ])('reads the time of %s', async (cell, time) => {
    const { shown } = await importing(
      { 'customers.csv': `id,created\n1,"${cell}"\n` },
      '--dates',
      'MM/DD/YYYY',
    )
    expect(shown).toContain(`created ${cell} → ${time}\n`)
  })

  it.each([
    ['DD/MM/YY', '15/03/99'],
    ['MM/DD/YYYY', '3/15/2024 13:00 PM'],
    ['D-MMM-YYYY', '15-Foo-2024'],
  ])('refuses with --dates %s: %s', async (dates, cell) => {
    const { errors } = await importing({ 'customers.csv': `id,created\n1,${cell}\n` }, '--dates', dates)
    expect(errors).toEqual([expect.stringContaining(`created must be a date as ${dates}`)])
  })

  it('takes .tsv as a sheet', async () => {
    expect((await importing({ 'customers.tsv': 'id\tname\n1\tAnn\n' })).counts).toMatchObject({ created: 1 })
  })
})

describe('columns', () => {
  it('takes a constant, one column for two fields, the second of two columns, and names with "="', async () => {
    const files = {
      'products.csv': 'id,name\np,P\n',
      'prices.csv': 'id,product_id,currency,price\na,p,EUR,5\n',
      'customers.csv': 'id,Email,Email,a=b\n1,x@example.org,y@example.org,Ann\n',
      'invoices.csv':
        'id,total,Start,period_end,currency,customer_id,subscription_id\n1,5,2026-03-01,2026-04-01,EUR,1,s\n',
    }
    const set = ['--set', 'prices:type=one_time', '--set', 'customers:metadata.source=sheet=1']
    const map = ['Start=period_start,created', 'customers:Email=', 'Email#2=email', 'a=b=name']
    const { counts } = await importing(files, ...set, ...map.flatMap((each) => ['--map', each]))
    expect(counts).toMatchObject({ rows: 4, created: 4 })
    const start = Date.UTC(2026, 2) / 1_000
    expect(await find('invoices', '1')).toMatchObject({ created: start, period_start: start })
    expect(await find('prices', 'a')).toMatchObject({ type: 'one_time' })
    expect(await find('customers', '1')).toMatchObject({
      name: 'Ann',
      email: 'y@example.org',
      metadata: { source: 'sheet=1' },
    })
  })

  it.each([
    [['--set', 'customers:name=x'], /^--set customers:name: ".*customers.csv" has the column "name" for it$/],
    [['--set', 'customers:size=x'], /^--set customers:size: customers have no field size$/],
    [
      ['--map', 'name=id'],
      /the columns "id" and "name" are both id; --map "customers:COLUMN=FIELD" names another/,
    ],
    [['--map', 'Name=name'], /^--map "Name=…": no file has a column "Name"$/],
    [['--map', 'name#2=email'], /^--map "name#2=…": no file has a column "name#2"$/],
    [['--map', 'customers:E-mail=email'], /^--map "customers:E-mail=…": no file has a column "E-mail"$/],
    [['--map', 'client:name=name'], /^--map "client:name=…": no file has a column "client:name"$/],
    [['--set', 'size=x'], /^--set size: no file has such a field$/],
    [['--set', 'client:name=x'], /^--set client:name: no file is of client$/],
    [
      ['--map', 'name=name', '--map', 'name=email'],
      /^--map names the column "name" twice: .*"name=FIELD,FIELD"$/,
    ],
    [['--set', 'email=a', '--set', 'email=b'], /^--set gives email twice$/],
  ])('explains why it cannot use %j', async (options, message) => {
    await expect(importing(customers, ...options)).rejects.toThrow(message)
  })

  it('takes options for the files of other commands, if they name the resource', async () => {
    const options = ['--map', 'invoices:Rechnung=id', '--set', 'prices:type=one_time']
    expect((await importing(customers, ...options)).counts).toMatchObject({ created: 1 })
  })

  it('suggests a field for one column only, so that the options can be pasted', async () => {
    const files = { 'customers.csv': 'ID,Email,Email,E-mail\n1,a@example.org,b@example.org,\n' }
    const { message } = await importing(files).then(fail, (error: Error) => error)
    expect(message).toMatch(/: --map "customers:ID=id" --map "customers:Email=email" --leave-out REST$/)
    const pasted = ['--map', 'customers:ID=id', '--map', 'customers:Email=email', '--leave-out', 'REST']
    expect((await importing(files, ...pasted)).counts).toMatchObject({ created: 1 })
  })

  it('suggests the field of a line item', async () => {
    const files = {
      'invoices.csv': 'id,line_items.amuont,Line Items.Quantity,line_items.colour\n1,5,1,red\n',
    }
    const { message } = await importing(files).then(fail, (error: Error) => error)
    expect(message).toMatch(
      /: --map "invoices:line_items.amuont=line_items.amount" --map "invoices:Line Items.Quantity=line_items.quantity" --leave-out REST$/,
    )
  })

  it('shows at most ten of the unknown columns, and leaves out all of them with --leave-out REST', async () => {
    const more = Array.from({ length: 16_000 }, (_, index) => `x${index}`)
    const files = { 'customers.csv': `id,${more.join()}\n1${','.repeat(more.length)}\n` }
    const { message } = await importing(files).then(fail, (error: Error) => error)
    expect(message).toMatch(/"x9", and 15990 more are not fields .*: --leave-out REST$/)
    expect(message.length).toBeLessThan(1_000)
    expect((await importing(files, '--leave-out', 'REST')).counts).toMatchObject({ created: 1 })
  })
})

const fail = (): never => {
  throw new Error('It must be refused.')
}
