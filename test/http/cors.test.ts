import { productBody } from '../support/bodies.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

describe('answers to pages of other origins', () => {
  afterEach(() => {
    delete process.env.CORS_ORIGIN
  })

  it('may be read where the stage names their origin, errors too', async () => {
    process.env.CORS_ORIGIN = 'https://app.example.org'
    const client = await newClient()
    for (const { status, headers } of [
      await client.post('/api/products', productBody()),
      await client.get('/api/products?limit=0'),
    ]) {
      expect([200, 422]).toContain(status)
      expect(headers.get('access-control-allow-origin')).toBe('https://app.example.org')
      expect(headers.get('access-control-expose-headers')).toContain('x-request-id')
    }
  })

  it('may not be read otherwise', async () => {
    const { headers } = await (await newClient()).get('/api/products')
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
