import { newClient, serveForTests } from '../../support/requests/service.ts'
import {
  type Contents,
  importContents,
  importFiles,
  ndjson,
  recordedEntity,
  writeFiles,
} from '../importing.ts'
import { customer, invoice, line, page, versions } from '../stripe/stripe-objects.ts'

serveForTests()

const date = '2024-01-01'
const body = {
  id: 'repair',
  total: 900,
  currency: 'EUR',
  customer_id: 42,
  created: date,
  period_start: date,
  period_end: date,
}

const csvFiles = (fields: object): Contents => ({
  'customers.csv': 'id\n42\n',
  'invoices.csv': `${Object.keys(fields).join()}\n${Object.values(fields).join()}\n`,
})

const ndjsonFile = (fields: object): Contents => ({
  'all.ndjson': ndjson([
    ['customer', { id: 42 }],
    ['invoice', { ...body, ...fields }],
  ]),
})

const stripeFile = (): Contents => {
  const lines = [line(versions[1], { proration: true, pricing: null, discount_amounts: [] })]
  const fields = { id: 'repair', customer: 42, parent: null, discounts: [], lines }
  return { 'all.json': page([customer({ id: 42 }), invoice(versions[1], fields)]) }
}

describe('an invoice without a subscription', () => {
  it.each<[string, Contents, string[]]>([
    ['CSV', csvFiles(body), []],
    ['CSV with an empty column', csvFiles({ ...body, subscription_id: '' }), []],
    ['NDJSON with null', ndjsonFile({ subscription_id: null }), []],
    ['Stripe', stripeFile(), ['--from', 'stripe']],
  ])('is refused in %s with the advice to use --one-off, which records it', async (_, contents, options) => {
    const client = await newClient()
    const { errors } = await importContents(client, contents, ...options)
    expect(errors.join(' ')).toMatch(/subscription.* --one-off records it under .*"one-off:CUSTOMER"/)
    const record = async () => (await importContents(client, contents, ...options, '--one-off')).counts
    expect(await record()).toMatchObject({ rows: 2, created: 1, unchanged: 1 })
    expect(await record()).toMatchObject({ rows: 2, created: 0, unchanged: 2 })
    // Figures count a subscription only if it has an interval.
    expect(await recordedEntity(client, 'subscriptions', 'one-off:42')).toMatchObject({
      interval: null,
      interval_count: null,
    })
  })

  it('does not change an invoice with a subscription, nor a number that a double would round', async () => {
    const client = await newClient()
    const big = ndjson([['invoice', { ...body, id: 'big' }]]).replace('900', '12345678901234567890')
    const files = writeFiles({ ...ndjsonFile({ subscription_id: 's' }), 'big.ndjson': big })
    const { errors } = await importFiles(client, files, '--one-off')
    const { subscriptions } = (await client.get('/api/subscriptions?include=external_id')).json.data
    expect(subscriptions).toMatchObject([{ external_id: 's' }])
    expect(errors.join()).toMatch(/^total .*12345678901234567890/)
  })

  it('is refused with a recurring line, with which it would count as an active subscription', async () => {
    const line_items = [{ id: 'l', amount: 900, type: 'recurring', interval: 'month', interval_count: 1 }]
    const { errors } = await importContents(await newClient(), ndjsonFile({ line_items }), '--one-off')
    expect(errors).toEqual([
      'An invoice without subscription_id must not have a recurring line: add the id of its subscription.',
    ])
  })
})
