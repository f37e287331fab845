import { newClient, serveForTests } from '../../support/requests/service.ts'
import { filesOf, importAs, linesOf } from '../importing.ts'

serveForTests()

describe('the lines of invoices in a file of their own', () => {
  const bills = `id,total,created,period_start,period_end,currency,customer_id,subscription_id
7,1900,2024-01-01,2024-01-01,2024-02-01,EUR,42,s
8,500,2024-01-01,2024-01-01,2024-02-01,EUR,42,s
9,1,2024-01-01,2024-01-01,2024-02-01,EUR,42,s
`
  const billsWithLines = bills
    .replace('subscription_id', 'subscription_id,line_items')
    .replaceAll(',s\n', ',s,[]\n')
  const header = 'invoice_id,id,amount,type,interval,interval_count'
  const files = (lines: string, invoices = bills) => ({
    'line_items.csv': lines,
    'customers.csv': 'id\n42\n',
    'invoices.csv': invoices,
  })

  it('records each line with its invoice, in order, wherever the files are in the command', async () => {
    const { paths } = filesOf(files(`${header}\n7,b,1900,recurring,month,1\n8,x,500,one_time,,\n7,a,,,,\n`))
    for (const order of [paths, paths.toReversed()]) {
      const client = await newClient()
      for (const [args, outcome] of [
        [['--dry-run'], 'created'],
        [[], 'created'],
        [[], 'unchanged'],
      ] as const)
        expect((await importAs(client, [...order, ...args])).counts).toMatchObject({ rows: 4, [outcome]: 4 })
      const of = async (id: string) =>
        (await client.get(`/api/invoices/${id}?include=line_items`)).json.data.invoice.line_items
      expect(await of('7')).toMatchObject([
        { id: 'b', amount: 1900, type: 'recurring', interval: 'month', interval_count: 1 },
        { id: 'a', amount: null, type: null },
      ])
      expect([await of('8'), await of('9')]).toMatchObject([[{ id: 'x', amount: 500 }], []])
      const { subscription } = (await client.get('/api/subscriptions/s')).json.data
      expect(subscription).toMatchObject({ interval: 'month' })
    }
  })

  it.each([['7 1,x,1\n7,a,2\n7,b,3\n'], ['7,a,2\n7,b,3\n7 1,x,1\n']])(
    'records the lines of an invoice whose id ends like the number of a line: %j',
    async (rows) => {
      const client = await newClient()
      const { paths } = filesOf(files(`invoice_id,id,amount\n${rows}`, bills.replace('\n8,', '\n7 1,')))
      expect((await importAs(client, paths)).counts).toMatchObject({ created: 4 })
      const { invoices } = (await client.get('/api/invoices?include=line_items,external_id')).json.data
      const lines = invoices.map((invoice: { external_id: string; line_items: { id: string }[] }) => [
        invoice.external_id,
        ...invoice.line_items.map(({ id }) => id),
      ])
      expect(lines).toEqual([['9'], ['7 1', 'x'], ['7', 'a', 'b']])
    },
  )

  it.each<[row: string, error: RegExp, header?: string, bills?: string]>([
    ['8,x,five,,,', /line_items\[0\]\.amount must be .*"five"\)\. See line 2 of .*line_items.csv\.$/],
    ['8,x,,,,,,z', /line 2 of ".*line_items.csv" is not usable: The record must have 6 cells.*\(got 8\)/],
    [',x,5,,,', /line 2 of ".*line_items.csv" is not usable: invoice_id is missing/],
    ['80,x,5,,,', /^1 line of .* names no row of a file of invoices by invoice_id: line 2 \("80"\)$/],
    ['7,1E+15,5,,,', /line 2 of .*line_items.csv: id must be an id with all its digits/],
    ['7,x,5,,,', /line_items must be in the row or .*, not both \(see line 2 of/, header, billsWithLines],
    ['x,5', /line_items.csv" must have a column invoice_id/, 'id,amount'],
  ])(
    'refuses a line with its number, and records no invoice without it: %s',
    async (row, error, columns = header, invoices = bills) => {
      const client = await newClient()
      const { paths, report } = filesOf(files(`${columns}\n${row}\n`, invoices))
      const errors = await importAs(client, [...paths, '--report', report]).then(
        () => linesOf(report).flatMap(({ errors }) => errors.join(' ') || []),
        ({ message }: Error) => [message],
      )
      expect(errors.join('\n')).toMatch(error)
      const recorded = (await client.get('/api/invoices?include=external_id')).json.data.invoices
      for (const { external_id } of recorded) expect(row.split(',')[0]).not.toBe(external_id)
    },
  )
})
