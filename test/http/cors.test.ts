import { productBody } from '../support/requests/bodies.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

afterEach(() => {
  delete process.env.CORS_ORIGIN
})

it('CORS headers allow pages of the stage’s origin to read all responses, including errors', async () => {
  process.env.CORS_ORIGIN = 'https://app.example.org'
  const client = await newClient()
  for (const { status, headers } of [
    await client.post('/api/products', productBody()),
    await client.get('/api/products?limit=0'),
  ]) {
    expect([200, 422]).toContain(status)
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example.org')
    expect(headers.get('access-control-expose-headers')).toMatch(/x-request-id.*, changes-held-back$/)
  }
  const { status, headers } = await fetch(`${client.baseUrl}/api/products`, { method: 'OPTIONS' })
  expect(status).toBe(204)
  expect(Object.fromEntries(headers)).toEqual(
    expect.objectContaining({
      'access-control-allow-origin': 'https://app.example.org',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': expect.stringContaining('x-request-id'),
    }),
  )
})

it('CORS headers are absent if the stage has no origin', async () => {
  const client = await newClient()
  const preflight = await fetch(`${client.baseUrl}/api/products`, { method: 'OPTIONS' })
  expect(preflight.status).toBe(405)
  for (const { headers } of [preflight, await client.get('/api/products')])
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})
