import { range } from '../support/range.ts'
import { customerBody } from '../support/requests/bodies.ts'
import { clientForTests, serveForTests } from '../support/requests/service.ts'

serveForTests()

const client = clientForTests()

const customerOf = async (id: string) => (await client.get(`/api/customers/${id}`)).json.data.customer

it('refuses an update that changes the id with 409', async () => {
  const [first, second] = [customerBody(), customerBody()]
  const { id } = await client.create('/api/customers', first)
  const other = await client.create('/api/customers', second)
  for (const otherId of [second.id, other.id, 'unknown', 0]) {
    const { status, details } = await client.put(`/api/customers/${id}`, { id: otherId, name: 'Changed' })
    expect({ otherId, status }).toEqual({ otherId, status: 409 })
    expect(details[0]).toMatch(new RegExp(`^id .*${id}`))
  }
  expect((await customerOf(id)).name).toBe(first.name)
  expect((await client.get('/api/customers/unknown')).status).toBe(404)
})

it('responds with 404 to an update or an erasure by an id that no customer has or can have, whatever the id in the body', async () => {
  await client.create('/api/customers', customerBody({ id: 'existing' }))
  for (const path of ['/api/customers/nobody', `/api/customers/${'x'.repeat(256)}`]) {
    for (const id of ['nobody', 'existing'])
      expect((await client.put(path, { id, name: 'x' })).status).toBe(404)
    expect((await client.put(path)).status).toBe(404)
  }
  expect((await client.get('/api/customers/nobody')).status).toBe(404)
})

it.each<[number, string[]]>([
  [422, ['{}', 'null', '[]', '""', '0', 'false']],
  [400, [' ', '\n', '\ufeff', '\u0000', 'undefined', '{']],
])('responds with %i to a PUT with the body of %j, and erases nothing', async (expected, bodies) => {
  const { id, name } = await client.create('/api/customers', customerBody())
  for (const raw of bodies) {
    const { status } = await client.call('PUT', `/api/customers/${id}`, { raw })
    expect({ raw, status }).toEqual({ raw, status: expected })
    expect((await customerOf(id)).name).toBe(name)
  }
})

it('executes eight concurrent updates of one customer', async () => {
  const { id } = await client.create('/api/customers', customerBody())
  const updates = range(8).map((number) => client.put(`/api/customers/${id}`, { id, metadata: { number } }))
  expect((await Promise.all(updates)).map(({ status }) => status)).toEqual(updates.map(() => 200))
})

it('stores and returns metadata of any shape unchanged', async () => {
  const metadata = `{
    "types": ["1", 1, 1.5, true, null, [], {}, ""],
    "constructor": {"name": 1}, "toString": {}, "hasOwnProperty": null,
    "": 1, " ": 2, "a.b": 3, "$c": 4, "#d": 5, "é/~😀": 6, "1": 7,
    "numbers": [1e300, 5e-324, 9007199254740992, -1.7976931348623157e+308, 0.1],
    "text": ["\\u0001\\n\\"\\\\", "😀\\u2028", " x "],
    "a": {"b": {"c": {"d": {"e": {"f": [{}]}}}}},
    "list": [3, 1, 2, [null, []], "", {}]
  }`
  const raw = `{"id":"kept exactly","metadata":${metadata}}`
  const { customer } = (await client.call('POST', '/api/customers', { raw })).json.data
  expect(JSON.stringify(customer.metadata)).toBe(JSON.stringify(JSON.parse(metadata)))
  expect(await customerOf(customer.id)).toEqual(customer)
  expect((await client.get('/api/customers?limit=1')).json.data.customers[0]).toEqual(customer)
  const updated = await client.call('PUT', `/api/customers/${customer.id}`, { raw })
  expect(updated.json.data.customer).toEqual(customer)
})
