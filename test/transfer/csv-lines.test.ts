import { filesOf, importAs, linesOf } from '../support/importing.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

describe('the lines of invoices in a file of their own', () => {
  const customers = 'id\n42\n'
  const invoices = `id,total,created,period_start,period_end,currency,customer_id,subscription_id
7,1900,2024-01-01,2024-01-01,2024-02-01,EUR,42,s
8,500,2024-01-01,2024-01-01,2024-02-01,EUR,42,s
9,1,2024-01-01,2024-01-01,2024-02-01,EUR,42,s
`
  const lines = `invoice_id,id,amount,type,interval,interval_count
7,b,1900,recurring,month,1
8,x,500,one_time,,
7,a,,,,
`

  it('records each line with its invoice, in order, wherever the files are in the command', async () => {
    for (const order of [
      ['line_items.csv', 'customers.csv', 'invoices.csv'],
      ['invoices.csv', 'line_items.csv', 'customers.csv'],
    ]) {
      const client = await newClient()
      const contents: Record<string, string> = {
        'customers.csv': customers,
        'invoices.csv': invoices,
        'line_items.csv': lines,
      }
      const { paths } = filesOf(Object.fromEntries(order.map((name) => [name, contents[name]!])))
      for (const [args, outcome] of [
        [['--dry-run'], 'created'],
        [[], 'created'],
        [[], 'unchanged'],
      ] as const)
        expect((await importAs(client, [...paths, ...args])).counts).toMatchObject({ rows: 4, [outcome]: 4 })
      const of = async (id: string) =>
        (await client.get(`/api/invoices/${id}?include=line_items`)).json.data.invoice.line_items
      expect(await of('7')).toMatchObject([
        { id: 'b', amount: 1900, type: 'recurring', interval: 'month', interval_count: 1 },
        { id: 'a', amount: null, type: null },
      ])
      expect(await of('8')).toMatchObject([{ id: 'x', amount: 500 }])
      expect(await of('9')).toEqual([])
      expect((await client.get('/api/subscriptions/s')).json.data.subscription).toMatchObject({
        interval: 'month',
      })
    }
  })

  it.each<[string, string, RegExp]>([
    [
      '8,x,five,,,',
      invoices,
      /line_items\[0\]\.amount must be .*\(got "five"\)\. See line 2 of .*line_items.csv\.$/,
    ],
    [
      '8,x,,,,,',
      invoices,
      /line 2 of ".*line_items.csv" is not usable: The record must have 6 cells.*\(got 7\)/,
    ],
    [',x,5,,,', invoices, /line 2 of ".*line_items.csv" is not usable: invoice_id is missing/],
    [
      '80,x,5,,,',
      invoices,
      /^1 line of ".*line_items.csv" names no row of a file of invoices by invoice_id: line 2 \("80"\)$/,
    ],
    ['7,1E+15,5,,,', invoices, /line 2 of .*line_items.csv: id must be an id with all its digits/],
    [
      '7,x,5,,,',
      invoices.replace('subscription_id', 'subscription_id,line_items').replaceAll(',s\n', ',s,[]\n'),
      /line_items must be in the row or in lines of their own, not both \(see line 2 of/,
    ],
  ])('refuses a line with its number, and records no invoice without it: %s', async (row, bills, message) => {
    const client = await newClient()
    const { paths, report } = filesOf({
      'customers.csv': customers,
      'invoices.csv': bills,
      'line_items.csv': `invoice_id,id,amount,type,interval,interval_count\n${row}\n`,
    })
    const failure = await importAs(client, [...paths, '--report', report]).then(
      () =>
        linesOf(report)
          .flatMap(({ errors }) => (errors.length > 0 ? [errors.join(' ')] : []))
          .join('\n'),
      ({ message: text }: Error) => text,
    )
    expect(failure).toMatch(message)
    const recorded = (await client.get('/api/invoices?include=external_id')).json.data.invoices
    for (const { external_id } of recorded) expect(row.split(',')[0]).not.toBe(external_id)
  })

  it('refuses a file without the column of the invoice', async () => {
    const { paths } = filesOf({ 'invoices.csv': invoices, 'line_items.csv': 'id,amount\nx,5\n' })
    await expect(importAs(await newClient(), paths)).rejects.toThrow(
      /line_items.csv" must have a column invoice_id/,
    )
  })
})
