import fc from 'fast-check'
import { customerBody, invoiceBody } from '../support/bodies.ts'
import { inParallel, pageAt, upTo } from '../support/lists.ts'
import { Model } from '../support/model.ts'
import { invoiceBodyOf, invoiceContent } from '../support/model-steps.ts'
import { runs } from '../support/runs.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

// model.test.ts shows what a subscription is after invoices in any order, one after the other.
it('derives the same subscription from concurrent invoices, with replays, as from one after the other', async () => {
  const [client, model] = [await newClient(), new Model()]
  const customer = await client.create('/api/customers', { id: 'a' })
  model.create('customers', 'a', {}, {})
  model.find('customers', 'a')!.id = customer.id
  let number = 0
  const backfill = fc.array(invoiceContent, { minLength: 2, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(backfill, async (contents) => {
      number += 1
      const subscription = `s${number}`
      const invoices = contents.map((content, index) => ({
        id: `${subscription} ${index}`,
        content: { ...content, customer: 'a', subscription, discount: null },
      }))
      const bodies = invoices.map(({ id, content }) => invoiceBodyOf(model, id, content, false))
      const made = await inParallel([...bodies, bodies[0]!], (body) => client.create('/api/invoices', body))
      for (const [index, { id, content }] of invoices.entries()) {
        model.createInvoice(id, content)
        model.find('invoices', id)!.id = made[index].id
      }
      const { json } = await client.get(`/api/subscriptions/${subscription}`)
      const entry = model.find('subscriptions', subscription)!
      entry.id = made[0].subscription_id
      expect(json.data.subscription).toEqual(model.shown('subscriptions', entry))
    }),
    { numRuns: runs(20, 1_000) },
  )
})

it('gives a subscription that several customers begin at the same time to one of them', async () => {
  const client = await newClient()
  const customers = await Promise.all(upTo(4).map(() => client.create('/api/customers', customerBody())))
  for (const round of upTo(runs(2, 100))) {
    const bodies = upTo(12).map((index) =>
      invoiceBody({
        customer_id: customers[index % 4].id,
        subscription_id: `s${round}`,
        period_end: `2024-01-${index + 10}`,
      }),
    )
    const responses = await Promise.all(bodies.map((body) => client.post('/api/invoices', body)))
    const [subscription] = (await pageAt(client, '/api/subscriptions')).items
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
