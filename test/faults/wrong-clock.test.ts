import { customerBody } from '../support/requests/bodies.ts'
import { expectReplay, isReplay } from '../support/requests/create-responses.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

const now = Date.now
afterEach(() => {
  jest.restoreAllMocks()
})

it.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])('a machine whose clock is an hour %s responds like a machine whose clock is right', async (_, error) => {
  const client = await newClient()
  jest.spyOn(Date, 'now').mockImplementation(() => now() + error)
  const body = customerBody({ id: 'me' })
  const created = await client.post('/api/customers', body)
  expect(created.status).toBe(200)
  expect(isReplay(created)).toBe(false)
  expectReplay(await client.post('/api/customers', body))
  expectReplay(await client.post('/api/customers', body))
  expect((await client.post('/api/customers', { ...body, name: 'Other' })).status).toBe(409)
  const updates = await Promise.all(
    ['A', 'B', 'C'].map((name) => client.put('/api/customers/me', { id: 'me', name })),
  )
  expect(updates.map(({ status }) => status)).toEqual([200, 200, 200])
})
