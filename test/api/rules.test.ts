import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { expectInvalid } from '../support/violations.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'product' }))
  await client.create('/api/customers', customerBody({ id: 'customer' }))
})

type Fields = Record<string, unknown>
const aPrice = (fields: Fields) => priceBody({ product_id: 'product', ...fields })
const oneTime = { type: 'one_time', interval: undefined, interval_count: undefined }
const anInvoice = (fields: Fields) => invoiceBody({ customer_id: 'customer', ...fields })

/** Expects a 422 that names these paths, and nothing recorded: the id is still free. */
const refuses = async (path: string, body: Fields, good: Fields, violations: readonly string[]) => {
  expectInvalid(await client.post(path, body), ...violations)
  expect((await client.get(`${path}/${body.id}`)).status).toBe(404)
  await client.create(path, { ...good, id: body.id })
}

describe('prices', () => {
  it.each<[string, Fields, string[]]>([
    ['recurring without interval', { interval: undefined }, ['interval']],
    ['recurring with a null interval', { interval: null }, ['interval']],
    ['recurring without interval_count', { interval_count: undefined }, ['interval_count']],
    ['recurring with neither', { interval: null, interval_count: null }, ['interval', 'interval_count']],
    ['one_time with interval', { ...oneTime, interval: 'month' }, ['interval']],
    ['one_time with interval_count', { ...oneTime, interval_count: 1 }, ['interval_count']],
    ['one_time with both', { type: 'one_time' }, ['interval', 'interval_count']],
    ['an unknown type, without more ado', { ...oneTime, type: 'weekly' }, ['type']],
    ['a misspelt interval of another type', { interval: 7 }, ['interval']],
  ])('refuses %s', async (_, fields, violations) => {
    await refuses('/api/prices', aPrice(fields), aPrice({}), violations)
  })

  it.each<[string, Fields, Fields]>([
    ['one_time without interval', oneTime, { type: 'one_time', interval: null, interval_count: null }],
    ['one_time with nulls', { ...oneTime, interval: null, interval_count: null }, { interval: null }],
    ['no tiered as false', {}, { tiered: false }],
    ['a null tiered as false', { tiered: null }, { tiered: false }],
    ['no title as null', {}, { title: null }],
  ])('records %s', async (_, fields, shown) => {
    expect(await client.create('/api/prices', aPrice(fields))).toMatchObject(shown)
  })
})

describe('discounts', () => {
  it.each<[string, Fields, string[]]>([
    ['neither amount nor percent', { percent_off: undefined }, ['percent_off']],
    ['both null', { percent_off: null, amount_off: null }, ['percent_off']],
    ['both amount and percent', { amount_off: 1 }, ['percent_off']],
    ['an amount of 0 and a percent', { amount_off: 0 }, ['percent_off']],
    ['repeating without months', { duration: 'repeating' }, ['duration_in_months']],
    [
      'repeating with null months',
      { duration: 'repeating', duration_in_months: null },
      ['duration_in_months'],
    ],
    ['once with months', { duration_in_months: 3 }, ['duration_in_months']],
    ['forever with months', { duration: 'forever', duration_in_months: '3' }, ['duration_in_months']],
  ])('refuses %s', async (_, fields, violations) => {
    await refuses('/api/discounts', discountBody(fields), discountBody(), violations)
  })

  it.each<[string, Fields, Fields]>([
    ['an amount', { percent_off: null, amount_off: 500 }, { amount_off: 500, percent_off: null }],
    ['an amount of 0', { percent_off: undefined, amount_off: 0 }, { amount_off: 0, percent_off: null }],
    ['a percent', { amount_off: null, percent_off: 100 }, { amount_off: null, percent_off: 100 }],
    ['months as text', { duration: 'repeating', duration_in_months: '012' }, { duration_in_months: 12 }],
    ['months as a number', { duration: 'repeating', duration_in_months: 3 }, { duration_in_months: 3 }],
    ['null months of once', { duration_in_months: null }, { duration_in_months: null }],
  ])('records %s', async (_, fields, shown) => {
    expect(await client.create('/api/discounts', discountBody(fields))).toMatchObject(shown)
  })
})

describe('invoices', () => {
  it.each<[string, Fields, string[]]>([
    ['a period that ends a second before', { period_end: '2023-12-31T23:59:59Z' }, ['period_end']],
    ['a period reversed by its offset', { period_end: '2024-01-01T00:00:00+00:01' }, ['period_end']],
    [
      'a discount id of a wrong type beside an unknown one',
      { discounts: ['nothing', true, null] },
      ['discounts[1]', 'discounts[2]'],
    ],
    [
      'all that is unknown',
      { customer_id: 'x', discounts: ['y', 3] },
      ['customer_id', 'discounts[0]', 'discounts[1]'],
    ],
    ['a line that is no object', { line_items: [{}, null, 'x'] }, ['line_items[1]', 'line_items[2]']],
    [
      "a line's period reversed",
      { line_items: [{}, { period_start: '2024-01-02', period_end: '2024-01-01' }] },
      ['line_items[1].period_end'],
    ],
    ['an unknown field of a line', { line_items: [{ ammount: 1 }] }, ['line_items[0].ammount']],
    [
      'errors in several lines',
      { line_items: [{ amount: '1' }, { currency: 'XYZ', quantity: 1.5 }] },
      ['line_items[0].amount', 'line_items[1].currency', 'line_items[1].quantity'],
    ],
  ])('refuses %s', async (_, fields, violations) => {
    await refuses('/api/invoices', anInvoice(fields), anInvoice({}), violations)
  })

  it('reports all wrong references at once, including the subscription of another customer', async () => {
    await client.create('/api/customers', customerBody({ id: 'other' }))
    await client.create('/api/invoices', anInvoice({ subscription_id: 'taken' }))
    const names = { customer_id: 'other', subscription_id: 'taken', discounts: ['no'] }
    expectInvalid(await client.post('/api/invoices', anInvoice(names)), 'subscription_id', 'discounts[0]')
    const all = { ...names, customer_id: 'no', subscription_id: `sub_${'0'.repeat(22)}` }
    const wrong = { ...all, total: 'x', line_items: [{ amount: 'x' }] }
    expectInvalid(await client.post('/api/invoices', anInvoice(wrong)), 'total', 'line_items[0].amount')
    expectInvalid(
      await client.post('/api/invoices', anInvoice(all)),
      ...['customer_id', 'subscription_id', 'discounts[0]'],
    )
  })

  it.each<[string, Fields]>([
    ['errors of too many lines', { line_items: Array(251).fill({ type: 1 }) }],
    ['unknown references', { customer_id: 'x', discounts: Array.from({ length: 50 }, (_, n) => `no-${n}`) }],
  ])('reports only 50 %s', async (_, fields) => {
    const { status, details } = await client.post('/api/invoices', anInvoice(fields))
    expect([status, details.length]).toEqual([422, 50])
  })

  it('accepts empty periods, credits, and dates in every form', async () => {
    const body = anInvoice({
      total: -500,
      created: '2024-01-01 00:00:01',
      period_start: '2024-01-01T02:00:00+02:00',
      period_end: '2024-01-01',
      currency: 'jpy',
    })
    const { customer_id, subscription_id, id, ...shown } = await client.create('/api/invoices', body)
    const start = Date.UTC(2024, 0, 1) / 1000
    expect(shown).toEqual({
      total: -500,
      created: start + 1,
      period_start: start,
      period_end: start,
      currency: 'JPY',
    })
  })
})
