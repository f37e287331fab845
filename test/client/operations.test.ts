import { type Client, createClient } from '../../client/index.ts'
import { catalogue } from '../../shared/catalogue.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/bodies.ts'
import { serveForTests } from '../support/service.ts'
import { newTypedClient } from '../support/typed-client.ts'

serveForTests()

type Calls = Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>

/** The client's operations by the catalogue's names, without those that the client makes of others. */
const operationsOf = (client: Client): string[] =>
  Object.entries(client as unknown as Calls).flatMap(([plural, calls]) =>
    Object.keys(calls)
      .filter((name) => !['all', 'anonymise', 'createAll'].includes(name))
      .map((name) => `${plural}.${name}`),
  )

const recording = (requests: string[]): Client =>
  createClient({
    baseUrl: 'http://billing.example.org/base/',
    appId: 'app_1',
    apiKey: 'key',
    fetch: async (url, { method }) => {
      requests.push(`${method} ${url}`)
      return new Response(JSON.stringify({ data: {}, pagination: {} }))
    },
  })

describe('the client', () => {
  it('has every operation of the catalogue and no other', () => {
    expect(operationsOf(recording([])).sort()).toEqual(catalogue.map(({ id }) => id).sort())
  })

  it.each(catalogue)('sends $id to its method and path', async ({ resource, operation, method, path }) => {
    const requests: string[] = []
    const call = (recording(requests) as unknown as Calls)[resource.plural]?.[operation]
    await (path.includes('{id}') ? call?.('a/b', {}) : call?.({}))
    expect(requests).toEqual([`${method} http://billing.example.org/base${path.replace('{id}', 'a%2Fb')}`])
  })

  it('creates, retrieves by either id, and embeds what the call includes', async () => {
    const client = await newTypedClient()
    const product = await client.products.create(productBody({ name: 'Pro' }))
    const price = await client.prices.create({
      ...priceBody({ id: 'a/b c#%ü' }),
      type: 'one_time',
      product_id: product.id,
      interval: null,
      interval_count: null,
    })
    const customer = await client.customers.create(customerBody())
    const discount = await client.discounts.create({ ...discountBody(), duration: 'once' })
    const created = await client.invoices.create({
      ...invoiceBody(),
      customer_id: customer.id,
      discounts: [discount.id],
      line_items: [{ ...lineItem(), type: 'recurring', interval: 'month' }],
    })
    expect(await client.prices.retrieve('a/b c#%ü')).toEqual(price)
    expect((await client.products.retrieve(product.id, { include: ['prices'] })).prices).toEqual([price])
    const invoice = await client.invoices.retrieve(created.id, {
      include: ['customer', 'line_items', 'subscription'],
    })
    expect(invoice).toEqual({
      ...created,
      customer,
      line_items: [expect.objectContaining({ amount: 999 })],
      subscription: (await client.subscriptions.list()).items[0],
    })
    expect(invoice.created).toBe(1_704_067_200)
  })

  it('updates and anonymises through separate operations', async () => {
    const { customers } = await newTypedClient()
    const { id } = await customers.create({
      id: 7,
      name: 'Ann',
      email: 'ann@example.org',
      metadata: { plan: 'a' },
    })
    expect(await customers.update(7, { name: 'Bea' })).toMatchObject({
      id,
      name: 'Bea',
      email: 'ann@example.org',
    })
    expect(await customers.update(id, {})).toMatchObject({ name: 'Bea' })
    expect(await customers.anonymise(id)).toMatchObject({
      id,
      email: expect.stringContaining('.invalid'),
      metadata: { plan: 'a' },
    })
  })

  it('passes on fields and values that a newer service adds', async () => {
    const newer = { id: 'price_1', type: 'metered', interval: 'fortnight', quantum: { of: 1 } }
    const fetch = async () => new Response(JSON.stringify({ data: { price: newer } }))
    const client = createClient({ baseUrl: 'http://billing.example.org', appId: 'a', apiKey: 'k', fetch })
    expect(await client.prices.retrieve('price_1')).toEqual(newer)
  })
})
