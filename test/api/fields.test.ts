import { catalogue } from '../../shared/catalogue.ts'
import { priceBody, productBody } from '../support/bodies.ts'
import { inParallel } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { expectInvalid, pathIn } from '../support/violations.ts'
import { existing, type Writing, writing } from '../support/writing.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: existing.product }))
  await client.create('/api/prices', priceBody({ id: existing.price, product_id: existing.product }))
  for (const id of [existing.customer, existing.changed]) await client.create('/api/customers', { id })
})

/** Sends a body of an operation with these fields changed. A line item is sent in an invoice. */
const send = (name: string, fields: Record<string, unknown>) => {
  const { method, path } = catalogue.find(({ id }) => id === name) ?? {
    method: 'POST',
    path: '/api/invoices',
  }
  return client.call(method, path.replace('{id}', existing.changed), { body: writing[name]!.body(fields) })
}

const rows = Object.entries(writing).flatMap(([name, { fields, prefix = '' }]) =>
  Object.entries(fields).map(([field, values]) => ({ ...values, name, field, path: prefix + field })),
)

describe('the fields of a body', () => {
  it('are all tested', () => {
    for (const { id, body } of catalogue.filter((endpoint) => endpoint.body))
      expect([id, Object.keys(writing[id]?.fields ?? {})]).toEqual([id, Object.keys(body?.properties ?? {})])
    const { line_items } = catalogue.find(({ id }) => id === 'invoices.create')?.body?.properties ?? {}
    expect(Object.keys(writing['a line item']!.fields)).toEqual(
      Object.keys(line_items?.items?.properties ?? {}),
    )
  })

  const whole = Object.entries(writing).filter(([, { prefix }]) => prefix === undefined)
  it.each<[string, Writing]>(whole)('are returned in this order if visible: %s', async (name, { fields }) => {
    const [entity = {}] = Object.values((await send(name, {})).json.data)
    const shown = Object.entries(fields).flatMap(([field, { hidden }]) => (hidden ? [] : [field]))
    expect(Object.keys(entity as object)).toEqual(shown)
  })

  it.each(rows)('$name accepts every valid $field', async ({ name, field, right }) => {
    await inParallel(right, async (value) => {
      const { status, details } = await send(name, { [field]: value })
      expect({ value, status, details }).toEqual({ value, status: 200, details: [] })
    })
  })

  it.each(rows)('$name refuses every invalid $field, and names it', async ({ name, field, path, wrong }) => {
    await inParallel(wrong, async (value) => {
      const { status, details } = await send(name, { [field]: value })
      expect({ value, status, paths: details.map(pathIn) }).toEqual({ value, status: 422, paths: [path] })
    })
  })

  it.each(rows)(
    '$name accepts an absent or null $field only if it is optional',
    async ({ name, field, path, may }) => {
      for (const value of [undefined, null]) {
        const response = await send(name, { [field]: value })
        if (may === 'be absent') expect([value, response.status]).toEqual([value, 200])
        else expectInvalid(response, path)
      }
    },
  )
})
