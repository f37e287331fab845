import { range } from '../support/range.ts'
import { customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'
import { runs } from '../support/runs.ts'

serveForTests()

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
