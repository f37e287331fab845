import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, createClient } from '../../client/index.ts'

const access = { baseUrl: 'http://billing.example.org', appId: 'app_1', apiKey: 'key' }

/** Returns a client that receives these responses, one after the other, from a server between it and the service. */
const behind = (responses: Response[], retries?: number): Client =>
  createClient({ ...access, retries, fetch: async () => responses.shift() as Response })
const page = JSON.stringify({ data: { products: [] }, pagination: {} })
const whole = () => new Response(page)

describe('a response that does not come from the service', () => {
  it.each([
    [502, '<html>'],
    [504, ''],
    [200, '{"data": {"produ'],
  ])('retries a call after a response of status %s with body %j', async (status, body) => {
    expect(await behind([new Response(body, { status }), whole()]).products.list()).toEqual({ items: [] })
  })

  it.each([
    [201, page, 201],
    [403, '<html>', 403],
    [403, 'null', 403],
    [301, '', 301],
    [200, '{"data": {"produ', 0],
    [200, '<html>', 0],
    [200, 'null', 0],
    [200, '{}', 0],
  ])('rejects a call after a response of %s with body %j, with status %s', async (status, body, expected) => {
    const failed = behind([new Response(body, { status })], 0).products.list()
    const error = { name: 'BillingApiError', status: expected, errors: [] }
    await expect(failed).rejects.toMatchObject(error)
  })

  it.each([
    ['3', 3],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('rejects, for the header Retry-After: %s, with a retryAfter of %s', async (header, retryAfter) => {
    const headers = header === undefined ? {} : { 'retry-after': header }
    const failed = behind([new Response('', { status: 503, headers })], 0).products.list()
    const error: unknown = await failed.catch((reason: unknown) => reason)
    expect(error).toHaveProperty('retryAfter', retryAfter)
  })

  it('does not follow a redirect', async () => {
    const redirecting = createServer((_, response) =>
      response.writeHead(302, { location: '/api/elsewhere' }).end(),
    )
    await once(redirecting.listen(0, '127.0.0.1'), 'listening')
    const { port } = redirecting.address() as AddressInfo
    const client = createClient({ ...access, baseUrl: `http://127.0.0.1:${port}` })
    await expect(client.products.create({ id: 1, name: 'x' })).rejects.toMatchObject({ status: 302 })
    redirecting.close()
  })
})
