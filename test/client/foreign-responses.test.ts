import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, createClient } from '../../client/index.ts'
import { apiErrorOf } from './api-error.ts'

const access = { baseUrl: 'http://billing.example.org', appId: 'app_1', apiKey: 'key' }

/** Returns a client that receives these responses, in this order, as from a server between it and the service. */
const clientReceiving = (responses: Response[], retries?: number): Client => {
  const remaining = responses.values()
  return createClient({ ...access, retries, fetch: async () => remaining.next().value! })
}
const emptyPage = JSON.stringify({ data: { products: [] }, pagination: {} })

describe('a response that does not come from the service', () => {
  it.each([
    [502, '<html>'],
    [504, ''],
    [200, '{"data": {"produ'],
  ])('retries a call after a response of status %s with body %j', async (status, body) => {
    const client = clientReceiving([new Response(body, { status }), new Response(emptyPage)])
    expect(await client.products.list()).toEqual({ items: [] })
  })

  it.each([
    [201, emptyPage, 201],
    [403, '<html>', 403],
    [403, 'null', 403],
    [301, '', 301],
    [200, '{"data": {"produ', 0],
    [200, '<html>', 0],
    [200, 'null', 0],
    [200, '{}', 0],
  ])(
    'rejects a call after a response of status %s with body %j with an error of status %s',
    async (status, body, expected) => {
      const client = clientReceiving([new Response(body, { status })], 0)
      const error = { name: 'BillingApiError', status: expected, errors: [] }
      await expect(client.products.list()).rejects.toMatchObject(error)
    },
  )

  it.each([
    [
      '<html>',
      'text/html',
      'the response is not from this service (its content type is text/html); is baseUrl right?',
    ],
    ['{}', 'application/json', /^GET .*: the response is not from this service/],
    ['null', 'application/json', /^GET .*: the response is not from this service/],
    ['{"data": {"produ', 'application/json', 'the response is incomplete'],
    ['', 'application/json', 'the response is incomplete'],
  ])('says what is wrong with a response of status 200 with body %j', async (body, type, message) => {
    const client = clientReceiving([new Response(body, { headers: { 'content-type': type } })], 0)
    const error = await apiErrorOf(client.products.list({ requestId: 'mine' }))
    expect(error.message).toEqual(
      expect.stringMatching(typeof message === 'string' ? RegExp.escape(message) : message),
    )
  })

  it.each([
    ['3', 3],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('reports the header Retry-After: %s as the retryAfter %s of the error', async (header, retryAfter) => {
    const headers = header === undefined ? {} : { 'retry-after': header }
    const client = clientReceiving([new Response('', { status: 503, headers })], 0)
    const error = await apiErrorOf(client.products.list())
    expect(error).toHaveProperty('retryAfter', retryAfter)
  })

  it('does not follow a redirect', async () => {
    const server = createServer((_, response) => {
      response.writeHead(302, { location: '/api/elsewhere' }).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const client = createClient({ ...access, baseUrl: `http://127.0.0.1:${port}` })
    try {
      await expect(client.products.create({ id: 1, name: 'x' })).rejects.toMatchObject({ status: 302 })
    } finally {
      server.close()
    }
  })
})
