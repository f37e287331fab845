import { customerBody } from '../support/requests/bodies.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

const rightNow = Date.now
afterEach(() => {
  Date.now = rightNow
})

it.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])('a machine whose clock is an hour %s responds as one whose clock is right', async (_, error) => {
  const client = await newClient()
  Date.now = () => rightNow() + error
  const body = customerBody({ id: 'me' })
  for (const replayed of [null, 'true', 'true']) {
    const { status, headers } = await client.post('/api/customers', body)
    expect({ status, replayed: headers.get('idempotent-replayed') }).toEqual({ status: 200, replayed })
  }
  expect((await client.post('/api/customers', { ...body, name: 'Other' })).status).toBe(409)
  const updates = await Promise.all(
    ['A', 'B', 'C'].map((name) => client.put('/api/customers/me', { id: 'me', name })),
  )
  expect(updates.map(({ status }) => status)).toEqual([200, 200, 200])
})
