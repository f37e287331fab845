import fc from 'fast-check'
import { customerBody, invoiceBody, lineItem } from '../support/bodies.ts'
import { pageAt, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const day = (number: number) => new Date(Date.UTC(2024, 0, 1 + number)).toISOString().slice(0, 10)
const second = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000

const setUp = async () => {
  const client = await newClient()
  const customer = await client.create('/api/customers', customerBody())
  const subscriptions = async () => (await pageAt(client, '/api/subscriptions', { limit: 100 })).items
  return { client, customer, subscriptions }
}

type Body = ReturnType<typeof invoiceBody> & { line_items?: Record<string, unknown>[] }

const recordWith = async (client: Client, body: Body) => ({
  body,
  id: (await client.create('/api/invoices', body)).id as string,
})

/** Computes the subscription of `invoices` (bodies with server ids) from all of them at once. */
const derivedFrom = (invoices: readonly { body: Body; id: string }[]) => {
  const rank = ({ body, id }: { body: Body; id: string }) =>
    [body.period_end, body.period_start, body.created, id].join(' ')
  const latestFirst = [...invoices].sort((a, b) => (rank(a) < rank(b) ? 1 : -1))
  const latest = latestFirst[0]!
  const recurring = latestFirst
    .flatMap(({ body }) => body.line_items ?? [])
    .find(({ type }) => type === 'recurring')
  return {
    currency: latest.body.currency,
    interval: recurring?.interval ?? null,
    interval_count: recurring?.interval_count ?? null,
    current_period_start: second(latest.body.period_start),
    current_period_end: second(latest.body.period_end),
    latest_invoice_id: latest.id,
    created: Math.min(...invoices.map(({ body }) => second(body.created))),
  }
}

describe('a subscription', () => {
  it('is derived from the invoice that names it first', async () => {
    const { client, customer, subscriptions } = await setUp()
    expect(await subscriptions()).toEqual([])
    const lines = [
      lineItem({ type: 'one_time', interval: 'day', interval_count: 9 }),
      lineItem({ interval: 'year', interval_count: 2 }),
      lineItem({ interval: 'week' }),
    ]
    const body = invoiceBody({ customer_id: customer.id, currency: 'usd', line_items: lines })
    const invoice = await client.create('/api/invoices', body)
    expect(await subscriptions()).toEqual([
      {
        id: invoice.subscription_id,
        customer_id: customer.id,
        currency: 'USD',
        interval: 'year',
        interval_count: 2,
        current_period_start: second('2024-01-01'),
        current_period_end: second('2024-02-01'),
        latest_invoice_id: invoice.id,
        created: second('2024-01-01'),
      },
    ])
    expect(invoice.subscription_id).toMatch(/^sub_/)
  })

  it('keeps its interval when it follows an invoice without a recurring line, in any order', async () => {
    const { client, customer, subscriptions } = await setUp()
    const oneTime = lineItem({ type: 'one_time' })
    const bodies = [
      { period_end: day(31), line_items: [oneTime, lineItem({ interval: 'week', interval_count: 2 })] },
      { period_end: day(40), line_items: [oneTime, lineItem({ interval: 'year', interval_count: 3 })] },
      { period_end: day(50), line_items: [oneTime] },
      { period_end: day(60), total: -5 },
    ]
    for (const [index, order] of ['0123', '3210', '3102'].entries()) {
      const names = { customer_id: customer.id, subscription_id: `s${index}` }
      for (const each of order)
        await client.create('/api/invoices', invoiceBody({ ...names, ...bodies[Number(each)] }))
      const [{ interval, interval_count, current_period_end }] = await subscriptions()
      expect([interval, interval_count, current_period_end]).toEqual(['year', 3, second(day(60))])
    }
  })

  it('has no interval until a recurring line has one, or if the latest recurring line has none', async () => {
    const { client, customer, subscriptions } = await setUp()
    const named = { customer_id: customer.id, subscription_id: 's' }
    const intervalAfter = async (fields: Record<string, unknown>) => {
      await client.create('/api/invoices', invoiceBody({ ...named, ...fields }))
      return (await subscriptions())[0].interval
    }
    expect(await intervalAfter({ line_items: [lineItem({ type: 'one_time' })] })).toBeNull()
    expect(await intervalAfter({ line_items: [lineItem()] })).toBe('month')
    const lines = [lineItem({ interval: null }), lineItem()]
    expect(await intervalAfter({ period_end: day(60), line_items: lines })).toBeNull()
  })

  it('is the same by either id', async () => {
    const { client, customer, subscriptions } = await setUp()
    const fields = { customer_id: customer.id }
    const first = await client.create('/api/invoices', invoiceBody({ ...fields, subscription_id: 42 }))
    for (const subscription_id of ['42', first.subscription_id])
      expect(
        (await client.create('/api/invoices', invoiceBody({ ...fields, subscription_id }))).subscription_id,
      ).toBe(first.subscription_id)
    expect(await subscriptions()).toHaveLength(1)
  })

  it('is listed in the order of first recording, whatever invoices follow', async () => {
    const { client, customer } = await setUp()
    const add = (subscription_id: string, period_end: string) =>
      client.create('/api/invoices', invoiceBody({ customer_id: customer.id, subscription_id, period_end }))
    const [a, b] = [await add('a', day(31)), await add('b', day(31))]
    await add('a', day(62))
    expect((await pageAt(client, '/api/subscriptions')).ids).toEqual([b.subscription_id, a.subscription_id])
  })

  it('is the same after a backfill in any order, one by one or at once, with replays between', async () => {
    const { client, customer, subscriptions } = await setUp()
    let number = 0
    const invoices = fc.array(
      fc.record({
        created: fc.integer({ min: 0, max: 3 }).map(day),
        period_start: fc.integer({ min: 0, max: 2 }).map(day),
        period_end: fc.integer({ min: 3, max: 5 }).map(day),
        currency: fc.constantFrom('EUR', 'USD'),
        line_items: fc.array(
          fc.record({
            type: fc.constantFrom('recurring', 'one_time'),
            interval: fc.constantFrom('day', 'week', 'month', 'year'),
            interval_count: fc.integer({ min: 1, max: 3 }),
          }),
          { maxLength: 3 },
        ),
      }),
      { minLength: 1, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(invoices, fc.boolean(), async (list, atOnce) => {
        number += 1
        const subscription_id = `s${number}`
        const bodies = list.map((fields) =>
          invoiceBody({ customer_id: customer.id, subscription_id, ...fields }),
        )
        const record = (body: Body) => recordWith(client, body)
        const recorded: { body: Body; id: string }[] = []
        if (atOnce) recorded.push(...(await Promise.all([...bodies, bodies[0]!].map(record))))
        else for (const body of [...bodies, bodies[0]!]) recorded.push(await record(body))
        const [newest] = await subscriptions()
        expect(newest).toMatchObject(derivedFrom(recorded))
      }),
      { numRuns: runs(25, 1_000) },
    )
  })

  it('has the latest period after 40 concurrent invoices in random order', async () => {
    const { client, customer, subscriptions } = await setUp()
    const bodies = upTo(40).map((index) =>
      invoiceBody({
        customer_id: customer.id,
        subscription_id: 's',
        created: day(index + 1),
        period_start: day(30 * index),
        period_end: day(30 * (index + 1)),
      }),
    )
    const shuffled = bodies.map((body) => ({ body, key: Math.random() })).sort((a, b) => a.key - b.key)
    const recorded = await Promise.all(shuffled.map(({ body }) => recordWith(client, body)))
    expect(await subscriptions()).toEqual([expect.objectContaining(derivedFrom(recorded))])
    expect((await pageAt(client, '/api/invoices', { limit: 100 })).ids.sort()).toEqual(
      recorded.map(({ id }) => id).sort(),
    )
  })

  it('is not changed by replays or refused invoices', async () => {
    const { client, customer, subscriptions } = await setUp()
    const fields = { customer_id: customer.id, subscription_id: 's' }
    const [first, last] = [invoiceBody(fields), invoiceBody({ ...fields, period_end: day(90) })]
    for (const body of [first, last]) await client.create('/api/invoices', body)
    const before = await subscriptions()
    for (const body of [first, last, first]) await client.create('/api/invoices', body)
    const refused = [
      [409, { ...first, period_end: day(365) }],
      [409, { ...first, created: '2000-01-01' }],
      [409, { ...first, period_end: day(365), subscription_id: 'another' }],
      [422, { ...invoiceBody(fields), period_end: day(365), discounts: ['nothing'] }],
      [422, { ...invoiceBody(fields), period_end: day(365), currency: 'XYZ' }],
    ] as const
    for (const [status, body] of refused)
      expect((await client.post('/api/invoices', body)).status).toBe(status)
    expect(await subscriptions()).toEqual(before)
    expect((await pageAt(client, '/api/invoices')).ids).toHaveLength(2)
  })
})
