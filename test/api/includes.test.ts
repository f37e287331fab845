import { customerBody, emptyLine, invoiceBody, lineItem } from '../support/bodies.ts'
import { backward, forward, inParallel, pageAt, upTo } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const names = ['line_items', 'subscription', 'customer'] as const
const subsets = upTo(8).map((bits) => names.filter((_, index) => bits & (1 << index)))

describe('the includes of invoices', () => {
  const record = async (client: Client) => {
    const customers = await inParallel(upTo(3), () => client.create('/api/customers', customerBody()))
    const bodies = upTo(6).map((index) =>
      invoiceBody({
        customer_id: customers[index % 3].id,
        subscription_id: `sub of ${index % 3}`,
        period_end: `2024-0${index + 2}-01`,
        line_items: upTo(index).map((line) => lineItem({ id: `line ${line}` })),
      }),
    )
    for (const body of bodies) await client.create('/api/invoices', body)
    const { items: subscriptions } = await pageAt(client, '/api/subscriptions')
    const embedded = (lines: number, fields: { customer_id: string; subscription_id: string }) => ({
      line_items: upTo(lines).map((line) => expect.objectContaining({ id: `line ${line}` })),
      customer: customers.find((each) => each.id === fields.customer_id),
      subscription: subscriptions.find((each) => each.id === fields.subscription_id),
    })
    return { bodies, embedded }
  }

  it('embed exactly the requested entities, in every combination, in lists and retrieves', async () => {
    const client = await newClient()
    const { embedded } = await record(client)
    const plain = await pageAt(client, '/api/invoices')
    expect(
      plain.items.flatMap((item) => Object.keys(item)).filter((key) => names.includes(key as never)),
    ).toEqual([])
    for (const asked of subsets) {
      const include = asked.join(',')
      const { items } = await pageAt(client, '/api/invoices', { include })
      const expected = plain.items.map((item, index) => {
        const all = embedded(5 - index, item)
        return { ...item, ...Object.fromEntries(asked.map((name) => [name, all[name]])) }
      })
      expect(items).toEqual(expected)
      for (const [index, { id }] of plain.items.entries()) {
        const { json } = await client.get(`/api/invoices/${id}?include=${include}`)
        expect(json.data.invoice).toEqual(expected[index])
      }
    }
  })

  it('are the same on a page fetched by cursor', async () => {
    const client = await newClient()
    await record(client)
    const query = { include: names.join(',') }
    const whole = await pageAt(client, '/api/invoices', query)
    const there = await forward(client, '/api/invoices', { ...query, limit: 2 })
    expect(there.flatMap(({ items }) => items)).toEqual(whole.items)
    const back = await backward(client, '/api/invoices', { ...query, limit: 2 }, there.at(-1)!)
    expect(back.toReversed().flatMap(({ items }) => items)).toEqual(whole.items.slice(0, 4))
  })

  it('show all line items in order with all fields, times as seconds', async () => {
    const client = await newClient()
    const customer = await client.create('/api/customers', customerBody())
    const full = {
      id: 'a/b ü',
      amount: -5,
      currency: 'JPY',
      quantity: 0,
      discount_amount: 1,
      tax_amount: 2,
      period_start: 1_704_067_200,
      period_end: 1_706_745_600,
      interval: 'week',
      interval_count: 2,
      type: 'one_time',
    }
    const line_items = upTo(250).map((index) =>
      index % 2
        ? {}
        : {
            ...full,
            currency: 'jpy',
            id: `${full.id}${index}`,
            period_start: '2024-01-01',
            period_end: '2024-02-01T00:00:00Z',
          },
    )
    const invoice = await client.create(
      '/api/invoices',
      invoiceBody({ customer_id: customer.id, line_items }),
    )
    expect(invoice.line_items).toBeUndefined()
    const expected = line_items.map((_, index) =>
      index % 2 ? { id: expect.stringMatching(/^li_/), ...emptyLine } : { ...full, id: `${full.id}${index}` },
    )
    const { json } = await client.get(`/api/invoices/${invoice.id}?include=line_items`)
    expect(json.data.invoice.line_items).toEqual(expected)
    const { items } = await pageAt(client, '/api/invoices', { include: 'line_items' })
    expect(items[0].line_items).toEqual(json.data.invoice.line_items)
    expect(new Set(items[0].line_items.map(({ id }: { id: string }) => id)).size).toBe(250)
  })

  it('show a customer as it is now', async () => {
    const client = await newClient()
    const customer = await client.create('/api/customers', customerBody())
    const { id } = await client.create('/api/invoices', invoiceBody({ customer_id: customer.id }))
    await client.put(`/api/customers/${customer.id}`)
    const { json } = await client.get(`/api/invoices/${id}?include=customer`)
    expect(json.data.invoice.customer.name).toBe('Anonymous customer')
  })

  it.each(['line_items,line_items', ' line_items , customer', 'customer,line_items,customer'])(
    'may be written %j',
    async (include) => {
      const client = await newClient()
      const customer = await client.create('/api/customers', customerBody())
      await client.create('/api/invoices', invoiceBody({ customer_id: customer.id }))
      const { items } = await pageAt(client, '/api/invoices', { include })
      expect(items[0].line_items).toEqual([])
      expect(items[0].customer).toEqual(include.includes('customer') ? customer : undefined)
    },
  )

  it.each(['', 'null'])('are none for %j', async (include) => {
    const client = await newClient()
    const customer = await client.create('/api/customers', customerBody())
    await client.create('/api/invoices', invoiceBody({ customer_id: customer.id }))
    expect(Object.keys((await pageAt(client, '/api/invoices', { include })).items[0])).toHaveLength(8)
  })

  it.each([
    ['/api/invoices?include=prices', 'line_items, subscription, customer'],
    ['/api/invoices?include=line_items,Customer', 'line_items, subscription, customer'],
    ['/api/invoices?include=constructor', 'line_items, subscription, customer'],
    ['/api/products?include=line_items', 'prices'],
  ])('%s is refused with the allowed names', async (path, allowed) => {
    const { status, details } = await (await newClient()).get(path)
    expect(status).toBe(422)
    expect(details[0]).toContain(allowed)
  })
})
