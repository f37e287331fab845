import { range } from '../support/range.ts'
import { customerBody, invoiceBody, lineItem } from '../support/requests/bodies.ts'
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
