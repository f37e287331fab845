import { customerBody, invoiceBody } from '../support/bodies.ts'
import { pageAt, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type Answer, type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const day = (number: number) => new Date(Date.UTC(2024, 0, 1 + number)).toISOString().slice(0, 10)

const setUp = async () => {
  const client = await newClient()
  const customer = await client.create('/api/customers', customerBody())
  const subscriptions = async () => (await pageAt(client, '/api/subscriptions', { limit: 100 })).items
  return { client, customer, subscriptions }
}

describe('two customers', () => {
  const expectRefusedWhole = async (client: Client, body: { id: string }, answer: Answer) => {
    expect([answer.status, answer.details]).toEqual([
      422,
      [expect.stringMatching(/^subscription_id .*same customer/)],
    ])
    expect((await client.get(`/api/invoices/${body.id}`)).status).toBe(404)
  }

  it('never share a subscription, by either id', async () => {
    const { client, customer, subscriptions } = await setUp()
    const other = await client.create('/api/customers', customerBody())
    const own = await client.create(
      '/api/invoices',
      invoiceBody({ customer_id: customer.id, subscription_id: 's' }),
    )
    for (const subscription_id of ['s', own.subscription_id])
      for (const period_end of [day(1), day(31), day(365)]) {
        const body = invoiceBody({ customer_id: other.id, subscription_id, period_end })
        await expectRefusedWhole(client, body, await client.post('/api/invoices', body))
      }
    expect(await subscriptions()).toEqual([
      expect.objectContaining({ customer_id: customer.id, latest_invoice_id: own.id }),
    ])
  })

  it('never share one that both start at once', async () => {
    const { client, subscriptions } = await setUp()
    const customers = await Promise.all(upTo(4).map(() => client.create('/api/customers', customerBody())))
    for (const round of upTo(runs(5, 100))) {
      const bodies = upTo(12).map((index) =>
        invoiceBody({
          customer_id: customers[index % 4].id,
          subscription_id: `s${round}`,
          period_end: day(index + 1),
        }),
      )
      const answers = await Promise.all(bodies.map((body) => client.post('/api/invoices', body)))
      const [subscription] = await subscriptions()
      for (const [index, answer] of answers.entries())
        if (customers[index % 4].id === subscription.customer_id) expect(answer.status).toBe(200)
        else await expectRefusedWhole(client, bodies[index]!, answer)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    }
  })
})
