import { range } from '../support/range.ts'
import { customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'
import { runs } from '../support/runs.ts'

serveForTests()

it('gives a subscription that several customers begin at the same time to one of them', async () => {
  const client = await newClient()
  const customers = await Promise.all(range(4).map(() => client.create('/api/customers', customerBody())))
  for (const round of range(runs(2, 100))) {
    const bodies = range(12).map((index) =>
      invoiceBody({
        customer_id: customers[index % 4].id,
        subscription_id: `s${round}`,
        period_end: `2024-01-${index + 10}`,
      }),
    )
    const responses = await Promise.all(bodies.map((body) => client.post('/api/invoices', body)))
    const [subscription] = (await readPage(client, '/api/subscriptions')).items
    for (const [index, response] of responses.entries())
      if (customers[index % 4].id === subscription.customer_id) expect(response.status).toBe(200)
      else {
        const detail = expect.stringMatching(/^subscription_id .*same customer/)
        expect({ status: response.status, details: response.details }).toEqual({
          status: 422,
          details: [detail],
        })
        expect((await client.get(`/api/invoices/${bodies[index]!.id}`)).status).toBe(404)
      }
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
  }
})
