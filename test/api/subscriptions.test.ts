import fc from 'fast-check'
import { customerBody, invoiceBody } from '../support/bodies.ts'
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

// model.test.ts checks the order of subscriptions, that customers do not share them, and that replays do not change them.
it('derives the same subscription from a backfill in any order, sequential or concurrent, with replays', async () => {
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
          interval: fc.constantFrom('day', 'week', 'month', 'year', null),
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
      expect(newest).toMatchObject({ customer_id: customer.id, ...derivedFrom(recorded) })
      const { json } = await client.get(`/api/subscriptions/${subscription_id}?include=latest_invoice`)
      const { latest_invoice, ...shown } = json.data.subscription
      expect(shown).toEqual(newest)
      expect(latest_invoice).toMatchObject({ id: newest.latest_invoice_id, subscription_id: newest.id })
    }),
    { numRuns: runs(25, 1_000) },
  )
})

it('gives a subscription that several customers begin at the same time to one of them', async () => {
  const { client, subscriptions } = await setUp()
  const customers = await Promise.all(upTo(4).map(() => client.create('/api/customers', customerBody())))
  for (const round of upTo(runs(2, 100))) {
    const bodies = upTo(12).map((index) =>
      invoiceBody({
        customer_id: customers[index % 4].id,
        subscription_id: `s${round}`,
        period_end: day(index + 1),
      }),
    )
    const responses = await Promise.all(bodies.map((body) => client.post('/api/invoices', body)))
    const [subscription] = await subscriptions()
    for (const [index, response] of responses.entries())
      if (customers[index % 4].id === subscription.customer_id) expect(response.status).toBe(200)
      else {
        const detail = expect.stringMatching(/^subscription_id .*same customer/)
        expect([response.status, response.details]).toEqual([422, [detail]])
        expect((await client.get(`/api/invoices/${bodies[index]!.id}`)).status).toBe(404)
      }
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
  }
})
