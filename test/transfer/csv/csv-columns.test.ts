import { execFileSync } from 'node:child_process'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { type Contents, expectStop, importContents, recordedEntity } from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const customers = { 'customers.csv': 'id,name\n42,Ann\n' }

/** Returns the message of an import that fails. */
const errorOf = (contents: Contents): Promise<string> =>
  importContents(client, contents).then(
    () => Promise.reject(new Error('It must be refused.')),
    (error: Error) => error.message,
  )

describe('the columns of a file', () => {
  it('can be constants, contain two fields, be the second of one header, and have "=" in their header', async () => {
    const contents = {
      'products.csv': 'id,name\np,P\n',
      'prices.csv': 'id,product_id,currency,price\na,p,EUR,5\n',
      'customers.csv': 'id,Email,Email,a=b\n1,x@example.org,y@example.org,Ann\n',
      'invoices.csv':
        'id,total,Start,period_end,currency,customer_id,subscription_id\n1,5,2026-03-01,2026-04-01,EUR,1,s\n',
    }
    const { counts } = await importContents(
      client,
      contents,
      ...['--set', 'prices:type=one_time'],
      ...['--set', 'customers:metadata.source=sheet=1'],
      ...['--map', 'Start=period_start,created'],
      ...['--map', 'customers:Email='],
      ...['--map', 'Email#2=email'],
      ...['--map', 'a=b=name'],
    )
    expect(counts).toMatchObject({ rows: 4, created: 4 })
    const start = Date.UTC(2026, 2) / 1_000
    expect(await recordedEntity(client, 'invoices', '1')).toMatchObject({
      created: start,
      period_start: start,
    })
    expect(await recordedEntity(client, 'prices', 'a')).toMatchObject({ type: 'one_time' })
    expect(await recordedEntity(client, 'customers', '1')).toMatchObject({
      name: 'Ann',
      email: 'y@example.org',
      metadata: { source: 'sheet=1' },
    })
  })

  it.each([
    [
      ['--set', 'customers:name=x'],
      /^--set customers:name: ".*customers.csv" has the column "name" for this field$/,
    ],
    [['--set', 'customers:size=x'], /^--set customers:size: customers have no field "size"$/],
    [['--map', 'Name=name'], /^--map "Name=…": no file has a column "Name"; did you mean name\?$/],
    [['--map', 'name#2=email'], /^--map "name#2=…": no file has a column "name#2"; did you mean name\?$/],
    [
      ['--map', 'customers:E-mail=email'],
      /^--map "customers:E-mail=…": no file has a column "E-mail"; use one of: id, name$/,
    ],
    [
      ['--map', 'client:name=name'],
      /^--map "client:name=…": no file has a column "client:name"; use one of: id, name$/,
    ],
    [['--set', 'size=x'], /^--set size: no file has a field "size"$/],
    [['--set', 'client:name=x'], /^--set client:name: no file can be named "client"$/],
    [
      ['--map', 'name=name', '--map', 'name=email'],
      /^--map names the column "name" twice: write "name=FIELD,FIELD" for two fields$/,
    ],
    [['--set', 'email=a', '--set', 'email=b'], /^--set names the field email twice$/],
    [['--only', 'State=paid'], /^--only "State=…": no file has a column "State"/],
  ])('are refused with the options %j, with the reason', (options, message) =>
    expectStop(customers, options, message),
  )

  it('can have options for the files of other commands, if the options name the resource', async () => {
    const options = ['--map', 'invoices:Rechnung=id', '--set', 'prices:type=one_time']
    expect((await importContents(client, customers, ...options)).counts).toMatchObject({ created: 1 })
  })

  it('are refused with --map to a field that does not exist, and a similar one is suggested', () =>
    expectStop(
      { 'customers.csv': 'id,Kunde\n1,Ann\n' },
      ['--map', 'Kunde=nme'],
      /"Kunde" as "nme" \(did you mean name\?\) is not a field .*--map "customers:Kunde=name"/,
    ))

  it('are refused with --map of one name for files of which one has no such field, with the option for that file', async () => {
    const contents = {
      'customers.csv': 'id,Code\n1,EUR\n',
      'invoices.csv':
        'id,total,created,period_start,period_end,customer_id,subscription_id,Code\n7,5,2026-03-01,2026-03-01,2026-03-08,1,s,EUR\n',
    }
    const options = ['--map', 'Code=currency', '--leave-out', 'REST']
    await expectStop(
      contents,
      options,
      /in ".*customers.csv", "Code" as "currency" is not a field .*: --map "customers:Code="$/,
    )
    const { counts } = await importContents(client, contents, ...options, '--map', 'customers:Code=')
    expect(counts).toMatchObject({ created: 2 })
  })

  it('are reported all at once if they are unknown, with options that can be pasted into a shell', async () => {
    const contents = {
      'customers.csv': 'Kunde;Name;E-Mail;Meta Data.plan;"Ann\'s $"\r\n42;Ann;a@example.org;pro;1\r\n',
      'products.csv': 'ID,constructor\np,P\n',
    }
    const message = await errorOf(contents)
    expect(message).toMatch(
      /in ".*customers.csv", "Kunde", "Name" \(did you mean name\?\), "E-Mail" \(did you mean email\?\), .*; in ".*products.csv", "ID" \(did you mean id\?\), "constructor" are not fields/,
    )
    const [, suggested = ''] = /: (--map .*)/.exec(message) ?? []
    const printArguments = `printf '%s\\n' ${suggested}`
    const options = execFileSync('sh', ['-c', printArguments], { encoding: 'utf8' }).trim().split('\n')
    expect(options).toEqual([
      ...['--map', 'customers:Name=name'],
      ...['--map', 'customers:E-Mail=email'],
      ...['--map', 'customers:Meta Data.plan=metadata.plan'],
      ...['--map', 'products:ID=id'],
      ...['--leave-out', 'REST'],
    ])
    // The user adds the columns for which no field is suggested.
    options.push('--map', 'Kunde=id', '--map', 'constructor=name')
    const { counts } = await importContents(client, contents, ...options)
    expect(counts).toMatchObject({ rows: 2, created: 2 })
    expect(await recordedEntity(client, 'customers', '42')).toMatchObject({
      name: 'Ann',
      metadata: { plan: 'pro' },
    })
  })

  it.each([
    {
      header: 'adjustment_currency',
      options: '--map "line_items:adjustment_currency=currency"',
    },
    {
      header: 'Currency Code',
      options: '--map "line_items:Currency Code=currency"',
    },
    // Pasted as it is, the option stops the import.
    {
      header: 'home_currency,transaction_currency',
      options: '--map "line_items:home_currency or transaction_currency=currency" --leave-out REST',
    },
    {
      header: `amount_home_currency,${'abcdefghijklmno'.split('').join('_,')}_,transaction_currency`,
      options: '--map "line_items:amount_home_currency or transaction_currency=currency" --leave-out REST',
    },
  ])(
    'are suggested as the currency of line items if their names say so: $header',
    async ({ header, options }) => {
      const message = await errorOf({ 'line_items.csv': `invoice_id,amount,${header}\n1,5\n` })
      expect(message.slice(message.indexOf('--map "line_items'))).toBe(options)
      for (const name of header.split(',').filter((column) => /currency/i.test(column)))
        expect(message).toContain(`"${name}" (did you mean currency?)`)
    },
  )

  it('are suggested wherever they are in the header', async () => {
    const others = 'abcdefghijklmno'.split('').map((letter) => letter.repeat(9))
    const message = await errorOf({ 'customers.csv': `id,${others.join()},E-Mail\n1\n` })
    expect(message).toMatch(
      /"jjjjjjjjj", "E-Mail" \(did you mean email\?\), and 5 more are not fields .*: --map "customers:E-Mail=email" --leave-out REST$/,
    )
  })

  it('are suggested at most one field each, so that the options can be pasted', async () => {
    const contents = { 'customers.csv': 'ID,Email,Email,E-mail\n1,a@example.org,b@example.org,\n' }
    expect(await errorOf(contents)).toMatch(
      /: --map "customers:ID=id" --map "customers:Email=email" --leave-out REST$/,
    )
    const { counts } = await importContents(
      client,
      contents,
      ...['--map', 'customers:ID=id'],
      ...['--map', 'customers:Email=email'],
      ...['--leave-out', 'REST'],
    )
    expect(counts).toMatchObject({ created: 1 })
  })

  it('are suggested the field of a line item', async () => {
    const header = 'id,line_items.amuont,Line Items.Quantity,line_items.colour'
    expect(await errorOf({ 'invoices.csv': `${header}\n1,5,1,red\n` })).toMatch(
      /: --map "invoices:line_items.amuont=line_items.amount" --map "invoices:Line Items.Quantity=line_items.quantity" --leave-out REST$/,
    )
  })

  it('are shown at most ten at a time if they are unknown, and all left out with --leave-out REST', async () => {
    const unknown = Array.from({ length: 16_000 }, (_, index) => `x${index}`)
    const contents = { 'customers.csv': `id,${unknown.join()}\n1${','.repeat(unknown.length)}\n` }
    const message = await errorOf(contents)
    expect(message).toMatch(/"x9", and 15990 more are not fields .*: --leave-out REST$/)
    expect(message.length).toBeLessThan(1_000)
    const { counts } = await importContents(client, contents, '--leave-out', 'REST')
    expect(counts).toMatchObject({ created: 1 })
  })
})

describe('the records of a file', () => {
  const orders = `id,Status,Cancelled at,total,currency,customer_id,subscription_id,created
1,Paid,,5,EUR,42,s,2026-03-01
2,failed,,5,EUR,42,s,2026-03-02
3,,2026-03-04,5,EUR,42,s,2026-03-03
3,open,,,,,,
4,open,,5,EUR,42,s,2026-03-04
`
  const options = [
    ...['--map', 'created=created,period_start,period_end'],
    ...['--only', 'invoices:Status=paid', '--only', 'invoices:Status=OPEN', '--only', 'Cancelled at='],
  ]

  it.each([[[]], [['--dry-run']]])(
    'are skipped and counted unless they meet every condition of --only %j',
    async (more) => {
      const contents = { ...customers, 'invoices.csv': orders }
      const { counts, shown } = await importContents(client, contents, ...options, ...more)
      expect(counts).toMatchObject({
        rows: 3,
        created: 3,
        skipped: { 'invoice: Status is "failed"': 1, 'invoice: Cancelled at is not empty': 1 },
      })
      expect(shown).toContain('1 skipped: invoice: Status is "failed"')
    },
  )

  const invoice = 'id,total,currency,customer_id,subscription_id,created,period_start,period_end'
  const dates = '2026-03-01,2026-03-01,2026-04-01'

  it('are skipped one by one if they are line items in a file of their own', async () => {
    const contents = {
      ...customers,
      'invoices.csv': `${invoice}\n1,5,EUR,42,s,${dates}\n`,
      'line_items.csv': 'invoice_id,amount,kind\n1,5,item\n1,5,subtotal\n',
    }
    const { counts } = await importContents(client, contents, '--only', 'line_items:kind=item')
    expect(counts.skipped).toEqual({ 'line_items: kind is "subtotal"': 1 })
    expect((await recordedEntity(client, 'invoices', '1', 'line_items')).line_items).toHaveLength(1)
  })

  it('stop the import if --only would read a part of the line items of an invoice', () =>
    expectStop(
      {
        ...customers,
        'invoices.csv': `${invoice},line_items.amount,kind\n1,5,EUR,42,s,${dates},5,item\n1,,,,,,,,5,subtotal\n`,
      },
      ['--only', 'kind=item'],
      /invoices.csv: kind must be the same in all rows of one id for --only, .*got "item" and "subtotal"/,
    ))

  it('are skipped before their ids are required', async () => {
    const contents = { 'customers.csv': 'id,name,Type\n42,Ann,Sale\n,Bob,Bill\n' }
    const { counts } = await importContents(client, contents, '--only', 'Type=Sale')
    expect(counts).toMatchObject({ rows: 1, created: 1, skipped: { 'customer: Type is "Bill"': 1 } })
  })
})
