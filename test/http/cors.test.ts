import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

afterEach(() => {
  delete process.env.CORS_ORIGIN
})

const origin = 'https://app.example.org'

it.each([
  ['a success', 200, '/api/products'],
  ['an error', 422, '/api/products?limit=0'],
])('CORS headers allow pages of the stage’s origin to read %s', async (_, expectedStatus, path) => {
  process.env.CORS_ORIGIN = origin
  const { status, headers } = await (await newClient()).get(path)
  expect(status).toBe(expectedStatus)
  expect(headers.get('access-control-allow-origin')).toBe(origin)
  expect(headers.get('access-control-expose-headers')).toMatch(/x-request-id.*, changes-held-back$/)
})

it('CORS headers allow pages of the stage’s origin to send all methods of a path', async () => {
  process.env.CORS_ORIGIN = origin
  const { baseUrl } = await newClient()
  const { status, headers } = await fetch(`${baseUrl}/api/products`, { method: 'OPTIONS' })
  expect(status).toBe(204)
  expect(headers.get('access-control-allow-origin')).toBe(origin)
  expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST')
  expect(headers.get('access-control-allow-headers')).toContain('x-request-id')
})

it('CORS headers are absent if the stage has no origin', async () => {
  const client = await newClient()
  const preflight = await fetch(`${client.baseUrl}/api/products`, { method: 'OPTIONS' })
  expect(preflight.status).toBe(405)
  for (const { headers } of [preflight, await client.get('/api/products')])
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})
