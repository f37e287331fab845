import { customerBody, invoiceBody, lineItem } from '../support/bodies.ts'
import { inParallel, pageAt, upTo } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const names = ['line_items', 'subscription', 'customer'] as const
const subsets = upTo(8).map((bits) => names.filter((_, index) => bits & (1 << index)))

describe('the includes of invoices', () => {
  /** Records invoices of several customers. Returns what each invoice can embed. */
  const record = async (client: Client) => {
    const customers = await inParallel(upTo(2), () => client.create('/api/customers', customerBody()))
    for (const index of upTo(4))
      await client.create(
        '/api/invoices',
        invoiceBody({
          customer_id: customers[index % 2].id,
          subscription_id: `sub of ${index % 2}`,
          period_end: `2024-0${index + 2}-01`,
          line_items: upTo(index).map((line) => lineItem({ id: `line ${line}` })),
        }),
      )
    const { items: subscriptions } = await pageAt(client, '/api/subscriptions')
    return (lines: number, fields: { customer_id: string; subscription_id: string }) => ({
      line_items: upTo(lines).map((line) => expect.objectContaining({ id: `line ${line}` })),
      customer: customers.find((each) => each.id === fields.customer_id),
      subscription: subscriptions.find((each) => each.id === fields.subscription_id),
    })
  }

  it('embed exactly the requested entities, in every combination, in lists and retrieves', async () => {
    const client = await newClient()
    const embedded = await record(client)
    const plain = await pageAt(client, '/api/invoices')
    for (const asked of subsets) {
      const include = asked.join(',')
      const { items } = await pageAt(client, '/api/invoices', { include })
      const expected = plain.items.map((item, index) => {
        const all = embedded(3 - index, item)
        return { ...item, ...Object.fromEntries(asked.map((name) => [name, all[name]])) }
      })
      expect(items).toEqual(expected)
      for (const [index, { id }] of plain.items.entries()) {
        const { json } = await client.get(`/api/invoices/${id}?include=${include}`)
        expect(json.data.invoice).toEqual(expected[index])
      }
    }
  })

  it.each([
    ['line_items,line_items', ['line_items']],
    ['%20line_items%20,customer,+customer', ['line_items', 'customer']],
    ['line_items&include=customer', ['line_items', 'customer']],
    ['customer&include=&include=line_items,customer&include=null', ['line_items', 'customer']],
    ['', []],
    ['null', []],
  ])('joins the names of include=%s', async (include, embedded) => {
    const client = await newClient()
    await client.create('/api/customers', customerBody({ id: 'c' }))
    await client.create('/api/invoices', invoiceBody({ customer_id: 'c' }))
    const [plain] = (await client.get('/api/invoices')).json.data.invoices
    const [invoice] = (await client.get(`/api/invoices?include=${include}`)).json.data.invoices
    expect(Object.keys(invoice).sort()).toEqual([...Object.keys(plain), ...embedded].sort())
  })
})
