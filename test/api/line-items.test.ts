import { requestExamples } from '../../shared/openapi/examples.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { range } from '../support/range.ts'
import { customerBody, invoiceBody, lineItem, priceBody, productBody } from '../support/requests/bodies.ts'
import { expectReplay } from '../support/requests/create-responses.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'
import { writeOperations } from '../support/requests/write-operations.ts'
import { runs } from '../support/runs.ts'

serveForTests()

/** The id of each line contains its number. */
const linesWithPrices = (...priceIds: unknown[]) =>
  priceIds.map((price_id, index) => ({ id: `line ${index}`, price_id }))
const invoiceWith = (line_items: object[]) => invoiceBody({ customer_id: 'customer', line_items })

const { id: _, ...lineFields } = writeOperations['a line item']!.fields
const visibleFields = Object.entries(lineFields).filter(([, { isHidden }]) => !isHidden)
/** If the request omitted all fields of the line; without its id. */
const emptyLine = Object.fromEntries(visibleFields.map(([name, { fallback }]) => [name, fallback]))

const setUp = async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  for (const id of ['basic', 'pro']) await client.create('/api/products', productBody({ id }))
  const monthly = await client.create('/api/prices', priceBody({ id: 'monthly', product_id: 'basic' }))
  const yearly = await client.create('/api/prices', priceBody({ id: 7, product_id: 'pro', price: 70 }))
  return { client, monthly, yearly }
}

/** Expects the list of invoices to show the same line items. */
const linesOf = async (client: Client, id: string, query = '?include=line_items') => {
  const { line_items } = (await client.get(`/api/invoices/${id}${query}`)).json.data.invoice
  const [listed] = (await client.get(`/api/invoices${query}&limit=1`)).json.data.invoices
  expect(listed).toMatchObject({ id, line_items })
  return line_items
}

it('keeps the order and the ids of line items, also equal ones', async () => {
  const { client } = await setUp()
  const lines = ['z', ' a/b ü ', 'z', '__proto__'].map((id, amount) => ({ id, amount }))
  const { id } = await client.create('/api/invoices', invoiceWith(lines))
  expect(await linesOf(client, id)).toMatchObject(lines)
})

it('generates an id for a line item without one, the same on a retry, and stores an integer as its digits', async () => {
  const { client } = await setUp()
  const body = invoiceWith([{}, { id: null }, { id: 7 }])
  const { id } = await client.create('/api/invoices', body)
  const lines = await linesOf(client, id)
  const generated = expect.stringMatching(/^li_[0-9A-Za-z]{22}$/)
  const ids = lines.map((line: { id: string }) => line.id)
  expect(ids).toEqual([generated, generated, '7'])
  expect(ids[0]).not.toBe(ids[1])
  const again = { ...body, line_items: [{}, { id: null }, { id: '7' }] }
  expect((await client.create('/api/invoices', again)).id).toBe(id)
  expect(await linesOf(client, id)).toEqual(lines)
})

it('embeds the price of a line item, with its product, if the include names it, and otherwise omits it', async () => {
  const { client, monthly, yearly } = await setUp()
  const body = invoiceWith(linesWithPrices('monthly', null, yearly.id, undefined, 'monthly'))
  const { id } = await client.create('/api/invoices', body)
  const plain = range(5).map((index) => ({ ...emptyLine, id: `line ${index}` }))
  expect(await linesOf(client, id)).toEqual(plain)
  const { product: basic } = (await client.get('/api/products/basic')).json.data
  const { product: pro } = (await client.get('/api/products/pro')).json.data
  const embeddedMonthly = { ...monthly, product: basic }
  const embeddedYearly = { ...yearly, product: pro }
  const prices = [embeddedMonthly, null, embeddedYearly, null, embeddedMonthly]
  const expected = plain.map((line, index) => ({ ...line, price: prices[index] }))
  expect(await linesOf(client, id, '?include=line_items,price')).toEqual(expected)
  expect(await linesOf(client, id, '?include=price,customer,line_items')).toEqual(expected)
  const withClientIds = await linesOf(client, id, '?include=line_items,price,external_id')
  expect(withClientIds[2]).toEqual({
    ...plain[2],
    price: { ...yearly, external_id: '7', product: { ...pro, external_id: 'pro' } },
  })
})

it('replays an invoice with the other id of a price, and refuses one with another price', async () => {
  const { client, monthly } = await setUp()
  const body = invoiceWith(linesWithPrices('monthly', 7))
  const { id } = await client.create('/api/invoices', body)
  const repeatWith = (...priceIds: unknown[]) =>
    client.post('/api/invoices', { ...body, line_items: linesWithPrices(...priceIds) })
  const replay = await repeatWith(monthly.id, '7')
  expectReplay(replay)
  expect(replay.json.data.invoice.id).toBe(id)
  const details = [expect.stringMatching(/other values of: line_items\.$/)]
  expect(await repeatWith('monthly', null)).toMatchObject({ status: 409, details })
  expect(await repeatWith('monthly', 'monthly')).toMatchObject({ status: 409, details })
})

it('refuses line items with unknown prices, with one error for each id and the number of its line items', async () => {
  const { client, monthly } = await setUp()
  const mistyped = `${monthly.id.slice(0, -1)}${monthly.id.endsWith('x') ? 'y' : 'x'}`
  const line_items = linesWithPrices('monthly', 'gone', 9, mistyped, 'gone', '9', 'gone')
  const body = invoiceBody({ customer_id: 'nobody', line_items })
  const unknown = (index: string, id: string, count: number) =>
    `line_items[${index}].price_id must be the id of an existing price; none has "${id}" (in ${count} of the line_items).`
  expect(await client.post('/api/invoices', body)).toMatchObject({
    status: 422,
    details: [
      'customer_id must be the id of an existing customer; none has "nobody".',
      unknown('1', 'gone', 3),
      unknown('2', '9', 2),
      unknown('3', mistyped, 1),
    ],
  })
  expect((await client.get('/api/invoices')).json.data.invoices).toEqual([])
})

interface InvoiceExample {
  readonly total: number
  readonly line_items?: readonly { readonly amount: number; readonly discount_amount: number }[]
}

it('is documented by examples in which the amounts of line items, less their discounts, are the total', () => {
  const examples = Object.values(requestExamples(invoices.create)).map(({ value }) => value as InvoiceExample)
  const withLines = examples.filter(({ line_items = [] }) => line_items.length > 0)
  expect(withLines).not.toEqual([])
  for (const { total, line_items = [] } of withLines) {
    const sum = line_items.reduce((all, { amount, discount_amount }) => all + amount - discount_amount, 0)
    expect(sum).toBe(total)
  }
})

it('starts a subscription for one customer if several customers send its first invoice at once', async () => {
  const client = await newClient()
  const customers = await Promise.all(range(4).map(() => client.create('/api/customers', customerBody())))
  for (const round of range(runs(2, 100))) {
    const sent = await Promise.all(
      range(12).map(async (index) => {
        const customer_id: string = customers[index % 4].id
        const period_end = `2024-01-${index + 10}`
        const body = invoiceBody({ customer_id, subscription_id: `s${round}`, period_end })
        return { customer_id, body, response: await client.post('/api/invoices', body) }
      }),
    )
    const [subscription] = (await readPage(client, '/api/subscriptions')).items
    const accepted = sent.filter(({ customer_id }) => customer_id === subscription.customer_id)
    expect(accepted).toHaveLength(3)
    for (const { response } of accepted) expect(response.status).toBe(200)
    for (const { body, response } of sent.filter((one) => !accepted.includes(one))) {
      expect(response).toMatchObject({
        status: 422,
        details: [expect.stringMatching(/^subscription_id .*same customer/)],
      })
      expect((await client.get(`/api/invoices/${body.id}`)).status).toBe(404)
    }
  }
})

it.each([
  ['period ends', { period_end: '2024-02-02', period_start: '2023-12-31', created: '2023-12-31' }],
  ['period starts, of equal ends,', { period_start: '2024-01-02', created: '2023-12-31' }],
  ['creation is, of equal periods,', { created: '2024-01-02' }],
])(
  'follows of two invoices the one whose %s later, whatever their ids and the order in which they arrive',
  async (_, laterFields) => {
    const client = await newClient()
    await client.create('/api/customers', customerBody({ id: 'ann' }))
    const body = (id: string, interval_count: number, fields: object) =>
      invoiceBody({ id, customer_id: 'ann', line_items: [lineItem({ interval_count })], ...fields })
    for (const [laterId, earlierId] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const)
      for (const arrivesLast of [laterId, earlierId]) {
        const subscription_id = `${laterId} ${arrivesLast}`
        const later = body(`${laterId} ${subscription_id}`, 3, { subscription_id, ...laterFields })
        const earlier = body(`${earlierId} ${subscription_id}`, 1, { subscription_id })
        const bodies = arrivesLast === laterId ? [earlier, later] : [later, earlier]
        for (const one of bodies) await client.create('/api/invoices', one)
        const url = `/api/subscriptions/${encodeURIComponent(subscription_id)}?include=latest_invoice,external_id`
        const { subscription } = (await client.get(url)).json.data
        expect(subscription).toMatchObject({ interval_count: 3, latest_invoice: { external_id: later.id } })
      }
  },
)
