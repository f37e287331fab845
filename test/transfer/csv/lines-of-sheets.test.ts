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

describe('an invoice whose sheet lacks columns', () => {
  const bills = { ...customers, 'invoices.csv': 'id,currency,customer_id\n1,EUR,42\n2,EUR,42\n' }
  const header = 'invoice_id,id,amount,discount_amount,period_start,period_end,subscription_id'
  const lines = [
    '1,a,1900,100,2026-03-01,2026-04-01,s',
    '1,b,500,,2026-02-01,2026-03-15,s',
    '2,c,-500,,2026-03-02,2026-03-03,t',
  ]

  it('has them from its lines, and the report says so once a column', async () => {
    const { counts, shown } = await importing({
      ...bills,
      'line_items.csv': [header, ...lines].join('\n').concat('\n'),
    })
    const fields = ['period_start', 'period_end', 'subscription_id', 'total', 'created']
    expect(counts).toMatchObject({
      created: 3,
      from_lines: Object.fromEntries(fields.map((field) => [field, 2])),
    })
    for (const field of fields) expect(shown).toContain(`${field}: from the lines, 2 rows\n`)
    expect(await find('invoices', '1', '?include=subscription,external_id')).toMatchObject({
      total: 2300,
      created: Date.UTC(2026, 1) / 1_000,
      period_start: Date.UTC(2026, 1) / 1_000,
      period_end: Date.UTC(2026, 3) / 1_000,
      subscription: { external_id: 's' },
    })
    expect(await find('invoices', '2')).toMatchObject({ total: -500 })
  })

  it.each([
    [
      'two subscriptions',
      '1,b,5,,2026-02-01,2026-03-01,t',
      /^subscription_id must be one that all .*"s" and "t"\)/,
    ],
    ['a line without a subscription', '1,b,5,,2026-02-01,2026-03-01,', /\(its lines name "s" and none\)/],
  ])('is refused with %s', async (_, second, error) => {
    const content = [header, lines[0], second, lines[2]].join('\n')
    const { errors } = await importing({ ...bills, 'line_items.csv': `${content}\n` })
    expect(errors).toEqual([expect.stringMatching(error)])
  })

  it('is refused without a total if a line has a tax, which may be on top', async () => {
    const columns = 'invoice_id,amount,tax_amount,period_start,period_end,subscription_id'
    const rows = ['1,5,1,2026-03-01,2026-04-01,s', '2,5,0,2026-03-01,2026-04-01,s']
    const { errors } = await importing({ ...bills, 'line_items.csv': `${[columns, ...rows].join('\n')}\n` })
    expect(errors).toEqual([
      expect.stringMatching(
        /^total must be in the file of invoices, since line 2 of .*line_items.csv has a tax/,
      ),
    ])
  })

  it.each([
    ['NULL', /^line 2 of .*: subscription_id is NULL without quotes, .*--empty NULL reads it as empty/],
    ['7.0', /^line 2 of .*: subscription_id must be an id as you use it \(got "7.0"/],
    ['1.23E+12', /^line 2 of .*: subscription_id must be an id with all its digits \(got "1.23E\+12"/],
  ])('is refused if the subscription of its lines is %s', async (subscription, error) => {
    const line = `1,a,1900,,2026-03-01,2026-04-01,${subscription}`
    const files = { ...bills, 'line_items.csv': [header, line, ''].join('\n') }
    const { lines } = await importing(files, '--one-off')
    expect(lines.find(({ id }) => id === '1')?.errors).toEqual([expect.stringMatching(error)])
  })

  it('is not recorded if the invoice of a line is NULL', async () => {
    const files = { ...bills, 'line_items.csv': `${header}\nNULL,a,1900,,2026-03-01,2026-04-01,s\n` }
    await expect(importing(files)).rejects.toThrow(
      /^line 2 of ".*line_items.csv" is not usable: invoice_id is NULL without quotes, .*--empty NULL/,
    )
  })

  it.each([
    ['another subscription than its lines', 'other', '("other")'],
    ['none, unlike its lines', '', '(none)'],
  ])('is refused if it names %s', async (_, subscription, shown) => {
    const files = {
      ...bills,
      'invoices.csv': `id,currency,customer_id,subscription_id\n1,EUR,42,${subscription}\n`,
      'line_items.csv': `${header}\n${lines[0]}\n`,
    }
    const { errors } = await importing(files, '--one-off')
    expect(errors).toEqual([
      expect.stringMatching(
        /^subscription_id must be the same in the invoice .* and in its lines .* has "s"/,
      ),
    ])
    expect(errors.join()).toContain(`in the invoice ${shown}`)
  })
})

describe('a sheet with a row for each line', () => {
  const header =
    'id,customer_id,subscription_id,currency,total,line_items.amount,line_items.period_start,line_items.period_end'
  const period = '2026-03-01,2026-04-01'

  it('is read as invoices with lines, in order, even if the rows of an invoice are apart', async () => {
    const rows = [
      `7,42,s,EUR,24,19,${period}`,
      `8,42,s,EUR,3,3,${period}`,
      `7,,,,,5,${period}`,
      '9,42,s,EUR,1,,,',
      `7,42,s,EUR,24,0,${period}`,
    ]
    const files = { ...customers, 'invoices.csv': `${[header, ...rows].join('\n')}\n` }
    const { counts, errors } = await importing(files, '--decimal', '.')
    // Without a line, the last has no period.
    expect(errors.map((error) => error.split(' ')[0])).toEqual(['created', 'period_start', 'period_end'])
    expect(counts).toMatchObject({ rows: 4, created: 3, invalid: 1, from_lines: { created: 2 } })
    const { total, line_items } = await find('invoices', '7', '?include=line_items')
    expect(total).toBe(2400)
    expect((line_items as { amount: number }[]).map(({ amount }) => amount)).toEqual([1900, 500, 0])
  })

  it('is refused if a column of the invoice differs in its rows, with both values', async () => {
    const rows = [`7,42,s,EUR,24,19,${period}`, `7,42,s,EUR,25,5,${period}`]
    const files = { ...customers, 'invoices.csv': `${[header, ...rows].join('\n')}\n` }
    const { errors } = await importing(files)
    expect(errors).toEqual([
      'total must be the same in all rows of one id (got "24" in line 2 and "25" in line 3).',
    ])
  })

  it.each(['', 'NULL'])('records nothing if the id of a row with a line is %j', async (id) => {
    const rows = [`7,42,s,EUR,24,19,${period}`, `${id},,,,,5,${period}`]
    const files = { ...customers, 'invoices.csv': `${[header, ...rows].join('\n')}\n` }
    await expect(importing(files)).rejects.toThrow(
      /^line 3 of ".*invoices.csv" is not usable: id is (missing|NULL without quotes, .*--empty NULL)/,
    )
    expect((await client.get('/api/customers/42')).status).toBe(404)
  })

  it('refuses a line with the line of the sheet', async () => {
    const rows = [`7,42,s,EUR,24,19,${period}`, `7,42,s,EUR,24,five,${period}`]
    const files = { ...customers, 'invoices.csv': `${[header, ...rows].join('\n')}\n` }
    expect((await importing(files)).errors.join(' ')).toMatch(
      /^line_items\[1\]\.amount must be .*"five"\)\. See line 3 of .*invoices.csv\.$/,
    )
  })
})
