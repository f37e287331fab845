import fc from 'fast-check'
import { catalogue } from '../../shared/catalogue.ts'
import { customerBody, productBody } from '../support/bodies.ts'
import { internals } from '../support/internals.ts'
import { type RawAnswer, rawCall, rawCallAs } from '../support/raw-http.ts'
import { runs } from '../support/runs.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { bodyOf, damaged, headerValue, pathFor, pathId, queryString } from './requests.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'known' }))
  await client.create('/api/customers', customerBody({ id: 'known' }))
})

const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  rawCallAs(client, {
    ...{ method, path, headers: Object.entries(headers).flat() },
    ...(body === undefined ? {} : { body }),
  })

/** Every answer is in an envelope, is a 200 or a client error (431: over 16 kB of headers), and shows no internals. */
const isDecent = ({ status, headers, text }: RawAnswer): void => {
  expect([200, 400, 401, 404, 405, 409, 413, 415, 422, 431]).toContain(status)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['x-request-id']).toMatch(/^[\w.:-]{1,128}$/)
  const answer = JSON.parse(text)
  if (status === 200) {
    expect(Object.keys(answer)[0]).toBe('data')
    return
  }
  expect(Object.keys(answer)).toEqual(['errors'])
  expect(answer.errors.length).toBeLessThanOrEqual(50)
  for (const error of answer.errors) {
    expect(error).toEqual({ code: status, title: expect.any(String), detail: expect.any(String) })
    expect(error.detail.isWellFormed()).toBe(true)
    expect(error.detail.length).toBeLessThan(2_000)
  }
  expect(text).not.toMatch(internals)
}

const options = { numRuns: runs(40, 10_000) }
/** Valid references, so that most requests are refused for other reasons. */
const known = { product_id: 'known', customer_id: 'known', subscription_id: 'known' }
const ofOperation: Readonly<Record<string, object>> = {
  'customers.update': { id: 'known' },
  'invoices.create': { period_start: '0000-01-01' },
}

it.each(catalogue.filter(({ body }) => body))(
  '$id answers any body with a client error or success',
  async (endpoint) => {
    const bodies = bodyOf(endpoint.body!)
    const references = Object.entries({ ...known, ...ofOperation[endpoint.id] }).filter(
      ([name]) => name in endpoint.body!.properties,
    )
    const all = fc.oneof(
      bodies.map((body) => JSON.stringify({ ...body, ...Object.fromEntries(references) })),
      damaged(bodies),
    )
    await fc.assert(
      fc.asyncProperty(all, async (body) => {
        const headers = { 'content-type': 'application/json' }
        isDecent(await send(endpoint.method, pathFor(endpoint, 'known'), headers, body))
      }),
      options,
    )
  },
)

it.each(catalogue)(
  '$id answers any query, id and header with a client error or success',
  async (endpoint) => {
    const names = 'accept content-type x-request-id x-forwarded-for range expect-ct'.split(' ')
    const headers = fc.dictionary(fc.constantFrom(...names), headerValue, { maxKeys: 3 })
    const body = endpoint.body ? '{}' : undefined
    await fc.assert(
      fc.asyncProperty(pathId, queryString, headers, async (id, query, more) => {
        isDecent(await send(endpoint.method, `${pathFor(endpoint, id)}?${query}`, more, body))
      }),
      { numRuns: runs(15, 10_000) },
    )
  },
)

it('any credentials get a client error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('', 'Bearer '), headerValue, headerValue, async (scheme, key, app) => {
      const headers = ['authorization', scheme + key, 'x-app-id', app]
      const answer = await rawCall(client.baseUrl, { path: '/api/products', headers })
      isDecent(answer)
      expect(answer.status).toBe(401)
    }),
    options,
  )
})

it('any method and path get a client error', async () => {
  const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND')
  const paths = fc.oneof(
    fc.constantFrom(...catalogue.map(({ path }) => path)),
    fc.stringMatching(/^\/[\x21-\x7e]{0,60}$/),
    pathId.map((id) => `/api/${id}`),
  )
  await fc.assert(
    fc.asyncProperty(methods, paths, async (method, path) => {
      isDecent(await send(method, path, {}))
    }),
    options,
  )
})
