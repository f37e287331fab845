import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { importContents, recordedEntity } from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

/** Returns the text of a sheet with these rows. */
const sheet = (...rows: readonly string[]): string => rows.map((row) => `${row}\n`).join('')

const customers = { 'customers.csv': sheet('id,name', '42,Ann') }

describe('an invoice whose sheet lacks columns', () => {
  const invoices = { ...customers, 'invoices.csv': sheet('id,currency,customer_id', '1,EUR,42', '2,EUR,42') }
  const importLines = (lines: readonly string[], ...options: readonly string[]) =>
    importContents(client, { ...invoices, 'line_items.csv': sheet(...lines) }, ...options)
  const header = 'invoice_id,id,amount,discount_amount,period_start,period_end,subscription_id'
  const firstLine = '1,a,1900,100,2026-03-01,2026-04-01,s'
  const lastLine = '2,c,-500,,2026-03-02,2026-03-03,t'

  it('has their values from its line items, which is shown once for each column', async () => {
    const secondLine = '1,b,500,,2026-02-01,2026-03-15,s'
    const { counts, shown } = await importLines([header, firstLine, secondLine, lastLine])
    const fields = ['period_start', 'period_end', 'subscription_id', 'total', 'created']
    expect(counts).toMatchObject({
      created: 3,
      from_lines: Object.fromEntries(fields.map((field) => [field, 2])),
    })
    for (const field of fields) expect(shown).toContain(`${field}: derived from the line items in 2 rows\n`)
    expect(await recordedEntity(client, 'invoices', '1', 'subscription,external_id')).toMatchObject({
      total: 2300,
      created: Date.UTC(2026, 1) / 1_000,
      period_start: Date.UTC(2026, 1) / 1_000,
      period_end: Date.UTC(2026, 3) / 1_000,
      subscription: { external_id: 's' },
    })
    expect(await recordedEntity(client, 'invoices', '2')).toMatchObject({ total: -500 })
  })

  it.each([
    [
      'with different subscriptions',
      '1,b,5,,2026-02-01,2026-03-01,t',
      /^subscription_id must be the same in all lines of the invoice \(got "s" and "t"\)/,
    ],
    ['of which one has no subscription', '1,b,5,,2026-02-01,2026-03-01,', /\(got "s" and none\)/],
  ])('is refused if it has line items %s', async (_, secondLine, error) => {
    const { errors } = await importLines([header, firstLine, secondLine, lastLine])
    expect(errors).toEqual([expect.stringMatching(error)])
  })

  it('is refused without a total if a line item has a tax, which may be added to its amount', async () => {
    const { errors } = await importLines([
      'invoice_id,amount,tax_amount,period_start,period_end,subscription_id',
      '1,5,1,2026-03-01,2026-04-01,s',
      '2,5,0,2026-03-01,2026-04-01,s',
    ])
    expect(errors).toEqual([
      expect.stringMatching(
        /^total must be a column of the file of invoices, because line 2 of .*line_items.csv has a tax/,
      ),
    ])
  })

  it('is refused if the subscription of its line items is NULL', async () => {
    const { lines } = await importLines([header, '1,a,1900,,2026-03-01,2026-04-01,NULL'], '--one-off')
    expect(lines.find(({ id }) => id === '1')?.errors).toEqual([
      expect.stringMatching(
        /^line 2 of .*: subscription_id is NULL without quotes, .*--empty NULL reads it as empty/,
      ),
    ])
  })

  it.each([
    ['another subscription than its line items', 'other', '"other"'],
    ['no subscription, unlike its line items', '', 'none'],
  ])('is refused if it has %s', async (_, subscription, shown) => {
    const files = {
      ...customers,
      'invoices.csv': sheet('id,currency,customer_id,subscription_id', `1,EUR,42,${subscription}`),
      'line_items.csv': sheet(header, firstLine),
    }
    const { errors } = await importContents(client, files, '--one-off')
    expect(errors).toEqual([
      expect.stringMatching(
        `^subscription_id must be the same in the invoice \\(${shown}\\) and in its lines .* has "s"`,
      ),
    ])
  })
})

describe('an invoice whose sheets have the start of a period, but not its end', () => {
  const march = Date.UTC(2026, 2) / 1_000
  const endOf = (year: number, month: number) => Date.UTC(year, month) / 1_000
  const header = 'id,currency,customer_id,subscription_id,total,created,period_start'

  it.each([
    ['month,1', endOf(2026, 3)],
    ['month,3', endOf(2026, 5)],
    ['year,', endOf(2027, 2)],
  ])('ends after the interval %s of its line item, which is counted', async (interval, period_end) => {
    const { counts } = await importContents(client, {
      ...customers,
      'invoices.csv': sheet(header, '1,EUR,42,s,500,2026-03-01,2026-03-01'),
      'line_items.csv': sheet(
        'invoice_id,amount,type,interval,interval_count',
        `1,500,recurring,${interval}`,
      ),
    })
    expect(counts).toMatchObject({ created: 2, from_lines: { period_end: 1 } })
    expect(await recordedEntity(client, 'invoices', '1')).toMatchObject({ period_start: march, period_end })
  })

  it('ends with the latest of its line items, each of which ends after its own interval in the time zone', async () => {
    const { counts } = await importContents(
      client,
      {
        ...customers,
        'invoices.csv': sheet(
          'id,currency,customer_id,subscription_id,total,created',
          '1,EUR,42,s,500,2026-03-01',
        ),
        'line_items.csv': sheet(
          'invoice_id,amount,type,interval,period_start',
          '1,500,recurring,month,2026-03-01',
        ),
      },
      '--zone',
      'Europe/Berlin',
    )
    const from_lines = { period_start: 1, period_end: 1, 'line_items.period_end': 1 }
    expect(counts).toMatchObject({ created: 2, from_lines })
    // Clocks are set forward on 29 March.
    const period = {
      period_start: Date.UTC(2026, 1, 28, 23) / 1_000,
      period_end: Date.UTC(2026, 2, 31, 22) / 1_000,
    }
    expect(await recordedEntity(client, 'invoices', '1', 'line_items')).toMatchObject({
      ...period,
      line_items: [period],
    })
  })

  it('is refused without an interval', async () => {
    const { errors } = await importContents(client, {
      ...customers,
      'invoices.csv': sheet(header, '1,EUR,42,s,500,2026-03-01,2026-03-01'),
      'line_items.csv': sheet('invoice_id,amount', '1,500'),
    })
    expect(errors).toEqual([expect.stringContaining('period_end is required')])
  })
})
