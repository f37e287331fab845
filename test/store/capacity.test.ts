import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { config } from '../../shared/config.ts'
import { documents } from '../../shared/store/aws/client.ts'
import { listOf } from '../../shared/store/keys.ts'
import { LIST_INDEX } from '../../shared/store/table.ts'
import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { metered } from '../support/meter.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const line = {
  id: 'li_1',
  amount: 1_999,
  currency: 'EUR',
  quantity: 1,
  discount_amount: 200,
  tax_amount: 342,
  period_start: '2024-01-01',
  period_end: '2024-02-01',
  interval: 'month',
  interval_count: 1,
  type: 'recurring',
}

const unitsOf = async (work: () => Promise<unknown>, only: string): Promise<number> =>
  (await metered(work))
    .filter(({ command }) => command.startsWith(only))
    .reduce((sum, { units }) => sum + units, 0)

/** An application of which a customer `me` and a product `it` are recorded. */
const setUp = async (): Promise<Client> => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me' }))
  await client.create('/api/products', productBody({ id: 'it' }))
  return client
}

describe('the write units', () => {
  it.each<[string, number, string, () => object]>([
    ['a product', 2, 'products', productBody],
    [
      'a customer',
      2,
      'customers',
      () => customerBody({ phone: '+49 30 1234', description: 'Pays late', metadata: { tier: 'gold' } }),
    ],
    ['a discount', 2, 'discounts', discountBody],
    ['a price', 3, 'prices', () => priceBody({ product_id: 'it', title: 'Monthly' })],
    [
      'an invoice with 3 lines and its subscription',
      8,
      'invoices',
      () => invoiceBody({ customer_id: 'me', line_items: [line, line, line] }),
    ],
  ])('of %s are at most %d', async (_, most, list, body) => {
    const client = await setUp()
    const units = await metered(() => client.create(`/api/${list}`, body()))
    const written = units.filter(({ command }) => /^(Put|Transact)/.test(command)).map((call) => call.units)
    expect(written).toHaveLength(1)
    expect(written[0]).toBeGreaterThan(0)
    expect(written[0]).toBeLessThanOrEqual(most)
  })

  it('of a further invoice of a subscription are no more than of its first', async () => {
    const client = await setUp()
    const create = (period_end: string) => () =>
      client.create(
        '/api/invoices',
        invoiceBody({ customer_id: 'me', subscription_id: 's', period_end, line_items: [line, line, line] }),
      )
    const first = await unitsOf(create('2024-02-01'), 'Transact')
    expect(await unitsOf(create('2024-03-01'), 'Transact')).toBeLessThanOrEqual(first)
    expect(await unitsOf(create('2024-01-15'), 'Put')).toBeLessThan(first)
  })

  it.each<[string, number, object | undefined]>([
    ['an update', 2, { id: 'me', name: 'New' }],
    ['an update of what is not shown, which no index carries,', 1, { id: 'me', phone: '+49 30 4321' }],
    ['an erasure', 2, undefined],
  ])('of %s are at most %d, the first time and later', async (_, most, body) => {
    const client = await setUp()
    const put = () => client.put('/api/customers/me', body)
    // From the fourth on the item has all the stamps that it ever will.
    for (const _ of upTo(5)) {
      const units = await unitsOf(put, 'Update')
      expect([units > 0, units <= most]).toEqual([true, true])
    }
  })
})

describe('the read units', () => {
  it('of a retrieve are at most 1, also with the lines of an invoice', async () => {
    const client = await setUp()
    const { id } = await client.create(
      '/api/invoices',
      invoiceBody({ customer_id: 'me', line_items: [line, line, line] }),
    )
    for (const path of [
      '/api/customers/me',
      '/api/products/it',
      `/api/invoices/${id}`,
      `/api/invoices/${id}?include=line_items`,
    ])
      expect(await unitsOf(() => client.get(path), '')).toBe(1)
  })

  it('of a list of 100 are at most 1 more than the least, for fat invoices as for slim ones', async () => {
    const [slim, fat] = [await setUp(), await setUp()]
    for (const [client, line_items] of [
      [slim, []],
      [fat, [line, line, line]],
    ] as const)
      await inParallel(upTo(101), () =>
        client.create('/api/invoices', invoiceBody({ customer_id: 'me', line_items })),
      )
    const least = async ({ credentials }: Client) =>
      unitsOf(
        () =>
          documents().send(
            new QueryCommand({
              TableName: config().table,
              IndexName: LIST_INDEX,
              KeyConditionExpression: '#list = :list',
              ExpressionAttributeNames: { '#list': 'list' },
              ExpressionAttributeValues: { ':list': listOf(credentials.app_id, 'invoices', 0) },
              Limit: 100,
            }),
          ),
        'Query',
      )
    const listed = (client: Client) => unitsOf(() => client.get('/api/invoices?limit=100'), '')
    expect(await least(slim)).toBeGreaterThan(1)
    expect(await listed(slim)).toBeLessThanOrEqual((await least(slim)) + 1)
    expect(await listed(fat)).toBe(await listed(slim))
  })
})
