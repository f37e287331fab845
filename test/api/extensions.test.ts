import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { expectInvalid } from '../support/faults.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

type Entity = Record<string, never> & { id: string; external_id: string }
let client: Client

/** A product with a price, a discount, and two customers with three invoices each. */
const record = async () => {
  await client.create('/api/products', productBody({ id: 'plan' }))
  await client.create('/api/prices', priceBody({ id: 'monthly', product_id: 'plan' }))
  await client.create('/api/discounts', discountBody({ id: 'spring' }))
  for (const customer of [42, 'other']) {
    await client.create('/api/customers', customerBody({ id: customer }))
    for (const n of upTo(3))
      await client.create(
        '/api/invoices',
        invoiceBody({
          id: `${customer}-${n}`,
          customer_id: customer,
          subscription_id: `s-${customer}-${n % 2}`,
          discounts: ['spring'],
        }),
      )
  }
}

beforeAll(async () => {
  client = await newClient()
  await record()
})

const one = async (path: string): Promise<Entity> => {
  const { data } = (await client.get(path)).json
  return Object.values(data as Record<string, Entity>)[0]!
}
const all = async (path: string): Promise<Entity[]> => {
  const { data } = (await client.get(path)).json
  return Object.values(data as Record<string, Entity[]>)[0]!
}

describe('include=external_id (E1)', () => {
  it.each([
    ['products', 'plan'],
    ['prices', 'monthly'],
    ['customers', '42'],
    ['discounts', 'spring'],
    ['invoices', '42-1'],
  ])('of %s returns the client’s own id as text', async (plural, id) => {
    const { external_id, ...rest } = await one(`/api/${plural}/${id}?include=external_id`)
    expect(external_id).toBe(id)
    expect(await one(`/api/${plural}/${id}`)).toEqual(rest)
    expect((await all(`/api/${plural}?include=external_id`)).map((each) => each.external_id)).toContain(id)
  })

  it('of subscriptions returns the id that the first invoice named', async () => {
    const names = (await all('/api/subscriptions?include=external_id')).map((each) => each.external_id)
    expect(names.sort()).toEqual(['s-42-0', 's-42-1', 's-other-0', 's-other-1'])
  })

  it('applies to embedded entities, and only on request', async () => {
    const path = '/api/invoices/42-1?include=customer,subscription,discounts'
    const asked = await one(`${path},external_id`)
    expect(asked).toMatchObject({
      external_id: '42-1',
      customer: { external_id: '42' },
      subscription: { external_id: 's-42-1' },
      discounts: [{ external_id: 'spring' }],
    })
    expect(JSON.stringify(await one(path))).not.toContain('external_id')
  })
})

describe('references can be read back (E2)', () => {
  it.each(['/api/prices/monthly', '/api/prices'])('the product of a price: %s', async (path) => {
    const { data } = (await client.get(`${path}?include=product`)).json
    const [price] = [data.price ?? data.prices].flat()
    expect(price.product).toEqual(await one('/api/products/plan'))
  })

  it.each(['/api/invoices/42-0', '/api/invoices'])('the discounts of an invoice: %s', async (path) => {
    const { data } = (await client.get(`${path}?include=discounts`)).json
    const [invoice] = [data.invoice ?? data.invoices].flat()
    expect(invoice.discounts).toEqual([await one('/api/discounts/spring')])
  })
})

describe('a filter (E3)', () => {
  const filters = [
    ['invoices', 'customer_id', '/api/customers/42'],
    ['subscriptions', 'customer_id', '/api/customers/42'],
    ['prices', 'product_id', '/api/products/plan'],
  ] as const

  it.each(filters)(
    'of %s by %s takes either id and keeps the order of the list',
    async (plural, field, path) => {
      const { id, external_id } = await one(`${path}?include=external_id`)
      const kept = (await all(`/api/${plural}`)).filter(
        (each) => (each as Record<string, unknown>)[field] === id,
      )
      const own = await all(`/api/${plural}?${field}=${external_id}`)
      expect(own.length).toBeGreaterThan(0)
      if (plural !== 'prices') expect(own).toEqual(kept)
      expect(await all(`/api/${plural}?${field}=${id}`)).toEqual(own)
    },
  )

  it('pages in both directions; a cursor works with either id of the same filter only', async () => {
    const { id } = await one('/api/customers/42')
    const whole = await all('/api/invoices?customer_id=42')
    const walk = async (field: 'next_cursor' | 'previous_cursor', from: string | null, by: unknown) => {
      const found: Entity[][] = []
      for (let cursor = from; ; ) {
        const query = `customer_id=${by}&limit=1&cursor=${cursor}`
        const { data, pagination } = (await client.get(`/api/invoices?${query}`)).json
        found.push(data.invoices)
        cursor = pagination[field]
        if (cursor === null) return { found, last: pagination }
      }
    }
    const there = await walk('next_cursor', null, 42)
    expect(there.found.flat()).toEqual(whole)
    const back = await walk('previous_cursor', there.last.previous_cursor, id)
    expect(back.found.reverse().flat()).toEqual(whole.slice(0, -1))
    const { next_cursor } = back.last
    for (const query of ['', '&customer_id=other'])
      expectInvalid(await client.get(`/api/invoices?cursor=${next_cursor}${query}`), 'cursor')
    expect((await client.get(`/api/invoices?cursor=${next_cursor}&customer_id=42`)).status).toBe(200)
  })

  it('finds entities recorded between two pages, and nothing of other customers', async () => {
    const own = await newClient()
    await own.create('/api/customers', customerBody({ id: 'a' }))
    await own.create('/api/customers', customerBody({ id: 'b' }))
    const bill = (n: number, customer_id: string) =>
      own.create(
        '/api/invoices',
        invoiceBody({ id: `${customer_id}${n}`, customer_id, subscription_id: `${customer_id}${n}` }),
      )
    await inParallel(upTo(40), (n) => bill(n, n % 2 ? 'a' : 'b'))
    const { data, pagination } = (await own.get('/api/invoices?customer_id=a&limit=15&include=external_id'))
      .json
    await bill(99, 'a')
    const rest = (
      await own.get(`/api/invoices?customer_id=a&cursor=${pagination.next_cursor}&include=external_id`)
    ).json
    const names = [...data.invoices, ...rest.data.invoices].map((each: Entity) => each.external_id)
    expect(names.toSorted()).toEqual(
      upTo(40)
        .filter((n) => n % 2)
        .map((n) => `a${n}`)
        .sort(),
    )
    expect(pagination.has_more && !rest.pagination.has_more).toBe(true)
  })

  it.each(['', 'null', 'nobody', 'cus_0123456789abcdefghijkl', '%00', 'x'.repeat(256)])(
    'is never ignored: %j is refused',
    async (value) => {
      expectInvalid(await client.get(`/api/invoices?customer_id=${value}`), 'customer_id')
      expectInvalid(await client.get(`/api/invoices?customer_id=42&customer_id=${value}`), 'customer_id')
    },
  )

  it('is unknown to lists without a filter', async () => {
    expectInvalid(await client.get('/api/products?customer_id=42'), 'customer_id')
  })
})

it('a replayed create is marked (E4)', async () => {
  const body = productBody({ id: 'twice' })
  const invoice = invoiceBody({ id: 'twice', customer_id: 42 })
  for (const [path, sent] of [
    ['/api/products', body],
    ['/api/invoices', invoice],
  ] as const) {
    expect((await client.post(path, sent)).headers.get('idempotent-replayed')).toBeNull()
    expect((await client.post(path, sent)).headers.get('idempotent-replayed')).toBe('true')
  }
})
