import { newClient, serveForTests } from '../../support/requests/service.ts'
import { filesOf, importAs, linesOf, ndjson } from '../importing.ts'
import { customer, invoice, line, page, versions } from '../stripe/stripe-objects.ts'

serveForTests()

const date = '2024-01-01'
const body = {
  ...{ id: 'repair', total: 900, currency: 'EUR', customer_id: 42 },
  ...{ created: date, period_start: date, period_end: date },
}
const csv = (fields: object) => ({
  'customers.csv': 'id\n42\n',
  'invoices.csv': `${Object.keys(fields).join()}\n${Object.values(fields).join()}\n`,
})
/** A file of the customer and an invoice with these fields. */
const rows = (fields: object) => ({
  'all.ndjson': ndjson([
    ['customer', { id: 42 }],
    ['invoice', { ...body, ...fields }],
  ]),
})
const lines = [line(versions[1], { proration: true, pricing: null, discount_amounts: [] })]
const stripe = page([
  customer({ id: 42 }),
  invoice(versions[1], { id: 'repair', customer: 42, parent: null, discounts: [], lines }),
])

describe('an invoice without a subscription', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['CSV', csv(body), []],
    ['CSV with an empty column', csv({ ...body, subscription_id: '' }), []],
    ['NDJSON with null', rows({ subscription_id: null }), []],
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
    const big = ndjson([['invoice', { ...body, id: 'big' }]]).replace('900', '12345678901234567890')
    const { paths, report } = filesOf({ ...rows({ subscription_id: 's' }), 'big.ndjson': big })
    await importAs(client, [...paths, '--one-off', '--report', report])
    const { subscriptions } = (await client.get('/api/subscriptions?include=external_id')).json.data
    expect(subscriptions).toMatchObject([{ external_id: 's' }])
    const refused = linesOf(report).find(({ id }) => id === 'big')
    expect(refused!.errors.join()).toMatch(/^total .*12345678901234567890/)
  })

  it('refuses an invoice with a recurring line, which would count as a subscription', async () => {
    const line_items = [{ id: 'l', amount: 900, type: 'recurring', interval: 'month', interval_count: 1 }]
    const { paths, report } = filesOf(rows({ line_items }))
    await importAs(await newClient(), [...paths, '--one-off', '--report', report])
    expect(linesOf(report).find(({ type }) => type === 'invoice')!.errors).toEqual([
      'An invoice without subscription_id must have no recurring line: name its subscription.',
    ])
  })
})
