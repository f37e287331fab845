import { filesOf, importAs, linesOf, ndjson } from '../support/importing.ts'
import { newClient, serveForTests } from '../support/service.ts'
import { customer, invoice, line, page, versions } from '../support/stripe-objects.ts'

serveForTests()

const body = {
  id: 'repair',
  total: 900,
  created: '2024-01-01',
  period_start: '2024-01-01',
  period_end: '2024-01-01',
  currency: 'EUR',
  customer_id: 42,
}
const csv = (fields: object) => `${Object.keys(fields).join()}\n${Object.values(fields).join()}\n`
const stripe = page([
  customer({ id: 42 }),
  invoice(versions[1], {
    id: 'repair',
    customer: 42,
    parent: null,
    discounts: [],
    lines: [line(versions[1], { proration: true, pricing: null, discount_amounts: [] })],
  }),
])

describe('an invoice without a subscription', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['CSV', { 'customers.csv': 'id\n42\n', 'invoices.csv': csv(body) }, []],
    [
      'CSV with an empty column',
      { 'customers.csv': 'id\n42\n', 'invoices.csv': csv({ ...body, subscription_id: '' }) },
      [],
    ],
    [
      'NDJSON with null',
      {
        'all.ndjson': ndjson([
          ['customer', { id: 42 }],
          ['invoice', { ...body, subscription_id: null }],
        ]),
      },
      [],
    ],
    ['Stripe', { 'all.json': stripe }, ['--from', 'stripe']],
  ])('refuses it in %s with the advice to use --one-off, which records it', async (_, files, more) => {
    const client = await newClient()
    const { paths, report } = filesOf(files)
    await importAs(client, [...paths, ...more, '--report', report])
    const [refused] = linesOf(report).filter(({ outcome }) => outcome === 'invalid')
    expect(refused!.errors.join(' ')).toMatch(
      /subscription.* --one-off records it under .*"one-off:CUSTOMER"/,
    )
    const recording = async () => (await importAs(client, [...paths, ...more, '--one-off'])).counts
    expect(await recording()).toMatchObject({ rows: 2, created: 1, unchanged: 1 })
    expect(await recording()).toMatchObject({ rows: 2, created: 0, unchanged: 2 })
    const { subscription } = (await client.get('/api/subscriptions/one-off%3A42')).json.data
    // Only a subscription with an interval counts as one.
    expect(subscription).toMatchObject({ interval: null, interval_count: null })
  })

  it('does not change an invoice with a subscription, and no number in the body of any', async () => {
    const client = await newClient()
    const { paths, report } = filesOf({
      'all.ndjson':
        ndjson([
          ['customer', { id: 42 }],
          ['invoice', { ...body, subscription_id: 's' }],
        ]) +
        `{"type":"invoice","data":${JSON.stringify({ ...body, id: 'big' }).replace('900', '12345678901234567890')}}\n`,
    })
    await importAs(client, [...paths, '--one-off', '--report', report])
    expect(
      (await client.get('/api/subscriptions?include=external_id')).json.data.subscriptions,
    ).toMatchObject([{ external_id: 's' }])
    expect(
      linesOf(report)
        .find(({ id }) => id === 'big')!
        .errors.join(),
    ).toMatch(/^total .*12345678901234567890/)
  })

  it('refuses an invoice with a recurring line, which would count as a subscription', async () => {
    const line_items = [{ id: 'l', amount: 900, type: 'recurring', interval: 'month', interval_count: 1 }]
    const { paths, report } = filesOf({
      'all.ndjson': ndjson([
        ['customer', { id: 42 }],
        ['invoice', { ...body, line_items }],
      ]),
    })
    await importAs(await newClient(), [...paths, '--one-off', '--report', report])
    expect(linesOf(report).find(({ type }) => type === 'invoice')!.errors).toEqual([
      'An invoice without subscription_id must have no recurring line: name its subscription.',
    ])
  })
})
