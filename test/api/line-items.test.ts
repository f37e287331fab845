import { customerBody, emptyLine, invoiceBody, lineItem } from '../support/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'customer' }))
})
const anInvoice = (fields: Record<string, unknown>) => invoiceBody({ customer_id: 'customer', ...fields })

// fields.test.ts shows which values each field of a line has.
describe('line items', () => {
  /** Returns the lines of the latest invoice, which its retrieve and the list show alike. */
  const linesOf = async (id: string) => {
    const { line_items } = (await client.get(`/api/invoices/${id}?include=line_items`)).json.data.invoice
    const [latest] = (await client.get('/api/invoices?limit=1&include=line_items')).json.data.invoices
    expect(latest).toMatchObject({ id, line_items })
    return line_items
  }

  it('keep their order and their ids, also equal ones', async () => {
    const lines = ['z', ' a/b ü ', 'z', '__proto__'].map((id, amount) => lineItem({ id, amount }))
    const { id } = await client.create('/api/invoices', anInvoice({ line_items: lines }))
    expect(await linesOf(id)).toMatchObject(lines)
  })

  it('get a generated id if they have none, the same on a retry', async () => {
    const body = anInvoice({ line_items: [{}, { id: null }, { id: 'own' }] })
    const { id } = await client.create('/api/invoices', body)
    const lines = await linesOf(id)
    const generated = expect.stringMatching(/^li_[0-9A-Za-z]{22}$/)
    expect(lines).toEqual([
      { ...emptyLine, id: generated },
      { ...emptyLine, id: generated },
      { ...emptyLine, id: 'own' },
    ])
    expect(new Set(lines.map((line: { id: string }) => line.id)).size).toBe(3)
    expect((await client.create('/api/invoices', body)).id).toBe(id)
    expect(await linesOf(id)).toEqual(lines)
  })

  it('may be absent, and number at most 250', async () => {
    const many = Array.from({ length: 250 }, (_, n) => ({ id: `line ${n}`, amount: n }))
    for (const [line_items, expected] of [
      [many, many.map((line) => ({ ...emptyLine, ...line }))],
      [[], []],
      [null, []],
      [undefined, []],
    ]) {
      const { id } = await client.create('/api/invoices', anInvoice({ line_items }))
      expect(await linesOf(id)).toEqual(expected)
    }
  })
})
