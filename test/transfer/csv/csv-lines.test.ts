import { newClient, serveForTests } from '../../support/requests/service.ts'
import {
  expectStop,
  importAs,
  importContents,
  importFiles,
  recordedEntity,
  writeFiles,
} from '../importing.ts'

serveForTests()

const customers = 'id\n42\n'
const invoices = `id,total,created,period_start,period_end,currency,customer_id,subscription_id
7,1900,2024-01-01,2024-01-01,2024-02-01,EUR,42,s
8,500,2024-01-01,2024-01-01,2024-02-01,EUR,42,s
9,1,2024-01-01,2024-01-01,2024-02-01,EUR,42,s
`
const invoicesWithLines = invoices
  .replace('subscription_id', 'subscription_id,line_items')
  .replaceAll(',s\n', ',s,[]\n')
const header = 'invoice_id,id,amount,type,interval,interval_count'

it.each([[['--dry-run']], [[]]])(
  'counts invoices whose total is not that of their lines, with %j',
  async (options) => {
    const contents = {
      'customers.csv': 'id\n42\n',
      'invoices.csv': `${invoices}10,1,2024-01-01,2024-01-01,2024-02-01,EUR,nobody,s\n`,
      'line_items.csv':
        'invoice_id,amount,discount_amount,tax_amount\n7,1000,,\n7,1000,100,361\n8,400,,100\n9,2,,\n9,1,,\n9,3,,\n10,9,,\n',
    }
    const { counts, shown } = await importContents(await newClient(), contents, ...options)
    expect(counts).toMatchObject({ created: 4, invalid: 1, unequal_totals: 1 })
    expect(shown).toMatch(
      /Invoices whose line items do not add up to the total, with their taxes or without: 1\.\n$/,
    )
  },
)

it('says what becomes of a quantity that is no integer', async () => {
  const contents = {
    'customers.csv': 'id\n1\n',
    'invoices.csv':
      'id,customer_id,subscription_id,total,currency,created,period_start,period_end,line_items.amount,Hours\n' +
      'i,1,s,5,EUR,2026-03-01,2026-03-01,2026-04-01,5,1.5\n',
  }
  const map = ['--map', 'Hours=line_items.quantity']
  const { errors } = await importContents(await newClient(), contents, ...map)
  expect(errors).toEqual([
    expect.stringMatching(/^line_items\[0\]\.quantity must be an integer/),
    expect.stringMatching(/^See line 2 of .*invoices.csv\.$/),
    'The amount of a line item is that of its whole quantity: --map "invoices:Hours=" leaves out the quantities of all line items.',
  ])
})

/** A sheet of line items, and options. `advice` is what the user reads about a type without an interval. */
interface RecurringCase {
  readonly title: string
  readonly name?: string
  readonly sheet: string
  readonly options?: readonly string[]
  readonly advice: string
}

describe('a recurring line item that no figure would count', () => {
  const files = { 'customers.csv': customers, 'invoices.csv': invoices }
  const needsInterval =
    'type "recurring" needs an interval, without which no figure counts the line item as recurring'
  const needsType =
    'interval "month" needs the type recurring, without which no figure counts the line item as recurring'
  const setInterval =
    'If all are monthly, add --set line_items:interval=month --set line_items:interval_count=1.'
  const leaveOut = '--map "line_items:Typ=" leaves out the column.'

  it.each<RecurringCase>([
    {
      title: 'without a column for intervals',
      sheet: 'invoice_id,amount,Typ\n7,5,one_time\n7,5,recurring\n',
      options: ['--map', 'Typ=type'],
      advice: `line 3 of .*line_items.csv, column "Typ": ${needsInterval}. ${setInterval} ${leaveOut} Nothing is recorded`,
    },
    {
      title: 'with an empty cell for its interval',
      sheet: 'invoice_id,amount,Typ,interval\n7,5,recurring,month\n7,5,recurring,\n',
      options: ['--map', 'Typ=type'],
      advice: `line 3 of .*line_items.csv, column "Typ": ${needsInterval}. Fill in its interval. ${leaveOut} Nothing is recorded`,
    },
    {
      title: 'with the price of another period',
      sheet: 'invoice_id,amount,type,price_id\n7,5,recurring,p\n',
      advice: `line 2 of .*line_items.csv: ${needsInterval}. ${setInterval} --map "line_items:type=" leaves out the column. Nothing is recorded`,
    },
    {
      title: 'whose type is an option',
      sheet: 'invoice_id,amount\n7,5\n',
      options: ['--set', 'line_items:type=recurring'],
      advice: `line 2 of .*line_items.csv: ${needsInterval}. ${setInterval} Nothing is recorded`,
    },
    {
      title: 'whose type is an option, with an empty cell for its interval',
      sheet: 'invoice_id,amount,interval\n7,5,month\n7,5,\n',
      options: ['--set', 'line_items:type=recurring'],
      advice: `line 3 of .*line_items.csv: ${needsInterval}. Fill in its interval. If others recur and it does not, replace the option by a column with the type of each line item. Nothing is recorded`,
    },
    {
      title: 'without a column for types',
      sheet: 'invoice_id,amount,Cycle\n7,5,\n7,5,month\n',
      options: ['--map', 'Cycle=interval'],
      advice: `line 3 of .*line_items.csv, column "Cycle": ${needsType}. If all are recurring, add --set line_items:type=recurring. --map "line_items:Cycle=" leaves out the column. Nothing is recorded`,
    },
    {
      title: 'with an empty cell for its type',
      sheet: 'invoice_id,amount,type,interval\n7,5,one_time,month\n7,5,,month\n',
      advice: `line 3 of .*line_items.csv: ${needsType}. Fill in its type. --map "line_items:interval=" leaves out the column. Nothing is recorded`,
    },
    {
      title: 'in the row of its invoice',
      name: 'invoices.csv',
      sheet: invoices
        .replace('subscription_id', 'subscription_id,line_items.type')
        .replaceAll(',s\n', ',s,recurring\n'),
      advice: `line 2 of .*invoices.csv: ${needsInterval}. If all are monthly, add --set invoices:line_items.interval=month --set invoices:line_items.interval_count=1. --map "invoices:line_items.type=" leaves out the column. Nothing is recorded`,
    },
    {
      title: 'as JSON',
      name: 'invoices.csv',
      sheet: invoicesWithLines.replace('[]', '"[{""type"":""recurring""}]"'),
      advice: `line 2 of .*invoices.csv: ${needsInterval}. Fill in its interval. Nothing is recorded`,
    },
  ])('stops the import $title', ({ name = 'line_items.csv', sheet, options = [], advice }) =>
    expectStop({ ...files, [name]: sheet }, options, new RegExp(`^${advice}$`)),
  )

  it('does not stop the import of one whose price can have the interval', async () => {
    const price = 'id,product_id,currency,price,type,interval,interval_count\np,q,EUR,5,recurring,month,1\n'
    const line =
      'invoice_id,amount,type,price_id,period_start,period_end\n7,5,recurring,p,2024-01-01,2024-02-01\n'
    const contents = {
      ...files,
      'products.csv': 'id,name\nq,Q\n',
      'prices.csv': price,
      'line_items.csv': line,
    }
    expect((await importContents(await newClient(), contents)).counts).toMatchObject({ created: 6 })
  })
})

describe('the line items of invoices in a file of their own', () => {
  it('are recorded with their invoice, in order, wherever the files are in the command', async () => {
    const { paths } = writeFiles({
      'line_items.csv': `${header}\n7,b,1900,recurring,month,1\n8,x,500,one_time,,\n7,a,,,,\n`,
      'customers.csv': customers,
      'invoices.csv': invoices,
    })
    for (const order of [paths, paths.toReversed()]) {
      const client = await newClient()
      const dryRun = await importAs(client, [...order, '--dry-run'])
      expect(dryRun.counts).toMatchObject({ rows: 4, created: 4 })
      expect((await importAs(client, order)).counts).toMatchObject({ rows: 4, created: 4 })
      expect((await importAs(client, order)).counts).toMatchObject({ rows: 4, unchanged: 4 })
      const lineItems = async (id: string) =>
        (await recordedEntity(client, 'invoices', id, 'line_items')).line_items
      expect(await lineItems('7')).toMatchObject([
        { id: 'b', amount: 1900, type: 'recurring', interval: 'month', interval_count: 1 },
        { id: 'a', amount: null, type: null },
      ])
      expect(await lineItems('8')).toMatchObject([{ id: 'x', amount: 500 }])
      expect(await lineItems('9')).toEqual([])
      expect(await recordedEntity(client, 'subscriptions', 's')).toMatchObject({ interval: 'month' })
    }
  })

  it.each(['7 1,x,1\n7,a,2\n7,b,3\n', '7,a,2\n7,b,3\n7 1,x,1\n'])(
    'are recorded with an invoice whose id ends like the number of a line: %j',
    async (rows) => {
      const client = await newClient()
      const { counts } = await importContents(client, {
        'line_items.csv': `invoice_id,id,amount\n${rows}`,
        'customers.csv': customers,
        'invoices.csv': invoices.replace('\n8,', '\n7 1,'),
      })
      expect(counts).toMatchObject({ created: 4 })
      const { json } = await client.get('/api/invoices?include=line_items,external_id')
      expect(json.data.invoices).toMatchObject([
        { external_id: '9', line_items: [] },
        { external_id: '7 1', line_items: [{ id: 'x' }] },
        { external_id: '7', line_items: [{ id: 'a' }, { id: 'b' }] },
      ])
    },
  )

  it.each<{ row: string; message: RegExp; columns?: string; bills?: string }>([
    {
      row: '8,x,five,,,',
      message: /line_items\[0\]\.amount must be .*"five"\)\. See line 2 of .*line_items.csv\.$/,
    },
    {
      row: '8,x,,,,,,z',
      message: /line 2 of ".*line_items.csv" cannot be used: The record must have 6 cells.*\(got 8\)/,
    },
    {
      row: ',x,5,,,',
      message: /line 2 of ".*line_items.csv" cannot be used: invoice_id is missing/,
    },
    {
      row: '80,x,5,,,',
      message: /^no file of invoices has the invoice_id of 1 line of ".*line_items.csv": line 2 \("80"\)$/,
    },
    {
      row: '7,x,5,,,',
      message: /line_items must be in one place only: .* \(see line 2 of .*line_items.csv\)/,
      bills: invoicesWithLines,
    },
    {
      row: '7,y,5,,,',
      message: /line_items must be in one place only: .* \(see line 2 of .*line_items.csv\)/,
      bills: invoicesWithLines
        .replace('subscription_id,line_items', 'subscription_id,line_items.amount')
        .replaceAll(',[]', ',5'),
    },
    { row: 'x,5', message: /line_items.csv" must have a column invoice_id/, columns: 'id,amount' },
  ])(
    'are refused with their line, and no invoice is recorded without them: $row',
    async ({ row, message, columns = header, bills = invoices }) => {
      const client = await newClient()
      const files = writeFiles({
        'line_items.csv': `${columns}\n${row}\n`,
        'customers.csv': customers,
        'invoices.csv': bills,
      })
      const errors = await importFiles(client, files).then(
        (imported) => imported.errors.join(' '),
        (error: Error) => error.message,
      )
      expect(errors).toMatch(message)
      const { json } = await client.get('/api/invoices?include=external_id')
      const recordedIds = json.data.invoices.map(({ external_id }: { external_id: string }) => external_id)
      expect(recordedIds).not.toContain(row.split(',')[0])
    },
  )
})

describe('a sheet with a row for each line item', () => {
  const sheetHeader =
    'id,customer_id,subscription_id,currency,total,line_items.amount,line_items.period_start,line_items.period_end'
  const period = '2026-03-01,2026-04-01'
  const filesWith = (rows: readonly string[]) => ({
    'customers.csv': customers,
    'invoices.csv': [sheetHeader, ...rows, ''].join('\n'),
  })

  it('is read as invoices with line items in order, even if the rows of an invoice are apart', async () => {
    const rows = [
      `7,42,s,EUR,24,19,${period}`,
      `8,42,s,EUR,3,3,${period}`,
      `7,,,,,5,${period}`,
      '9,42,s,EUR,1,,,',
      `7,42,s,EUR,24,0,${period}`,
    ]
    const client = await newClient()
    const { counts, errors } = await importContents(client, filesWith(rows), '--decimal', '.')
    // Invoice 9 has no line item, and therefore no period.
    expect(errors).toEqual([
      expect.stringMatching(/^created /),
      expect.stringMatching(/^period_start /),
      expect.stringMatching(/^period_end /),
    ])
    expect(counts).toMatchObject({ rows: 4, created: 3, invalid: 1, from_lines: { created: 2 } })
    expect(await recordedEntity(client, 'invoices', '7', 'line_items')).toMatchObject({
      total: 2400,
      line_items: [{ amount: 1900 }, { amount: 500 }, { amount: 0 }],
    })
  })

  it.each(['', 'NULL'])('is not recorded if the id of a row with a line item is %j', (id) =>
    expectStop(
      filesWith([`7,42,s,EUR,24,19,${period}`, `${id},,,,,5,${period}`]),
      [],
      /^line 3 of ".*invoices.csv" cannot be used: id is (missing|NULL without quotes, .*--empty NULL)/,
    ),
  )

  it('is refused with the line of a wrong line item', async () => {
    const rows = [`7,42,s,EUR,24,19,${period}`, `7,42,s,EUR,24,five,${period}`]
    const { errors } = await importContents(await newClient(), filesWith(rows))
    expect(errors.join(' ')).toMatch(
      /^line_items\[1\]\.amount must be .*"five"\)\. See line 3 of .*invoices.csv\.$/,
    )
  })
})
