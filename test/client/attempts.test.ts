import { getEventListeners, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { type AttemptResult, type Client, type ClientOptions, createClient } from '../../client/index.ts'
import { apiErrorOf } from './api-error.ts'
import { serviceForTests } from './test-service.ts'

const service = serviceForTests({ seed: { customers: [{ id: 1, name: 'Ann' }] } })

/** Returns a client, and the list of the headers of each request that it sends. */
const watchedClient = (options: Partial<ClientOptions> = {}) => {
  const sent: Record<string, string>[] = []
  const client: Client = createClient({
    ...service,
    fetch: (url, init) => {
      sent.push(init.headers)
      return fetch(url, init)
    },
    ...options,
  })
  return { client, sent }
}

describe('a hook', () => {
  it('is called before and after each attempt, and never receives the key', async () => {
    const received: unknown[] = []
    const { client } = watchedClient({
      onRequest: (attempt) => {
        received.push(attempt)
      },
      onResponse: (result) => {
        received.push(result)
      },
    })
    await service.faults.add({ answer: 503, retryAfter: 0 })
    await client.customers.retrieve(1, { requestId: 'mine' })
    const request = { method: 'GET', url: `${service.baseUrl}/api/customers/1`, requestId: 'mine' }
    const first = { ...request, attempt: 1 }
    const second = { ...request, attempt: 2 }
    const millis = expect.any(Number)
    const error = expect.objectContaining({ status: 503, requestId: 'mine' })
    expect(received).toEqual([
      first,
      { ...first, millis, status: 503, error, retryInMillis: expect.any(Number) },
      second,
      { ...second, millis, status: 200, error: undefined, retryInMillis: undefined },
    ])
    expect(inspect(received, { depth: 9, showHidden: true })).not.toContain(service.apiKey)
  })

  it('replaces headers of the client and of the call, whatever their case', async () => {
    const { client, sent } = watchedClient({
      application: 'shop/1.4',
      onRequest: async ({ attempt }) => ({ 'X-Attempt': `${attempt}`, Accept: 'application/*' }),
    })
    await service.faults.add({ lose: 'request' })
    await client.customers.list({ headers: { 'X-Attempt': 'none', 'x-tenant': 'a' } })
    const added = { 'x-tenant': 'a', accept: 'application/*' }
    expect(sent).toMatchObject([
      { 'x-attempt': '1', ...added },
      { 'x-attempt': '2', ...added },
    ])
  })

  it.each(['onRequest', 'onResponse'])('rejects the call with the error that it throws: %s', async (hook) => {
    const bug = new Error('a bug in the hook')
    const { client, sent } = watchedClient({ [hook]: () => Promise.reject(bug) })
    await expect(client.customers.list()).rejects.toBe(bug)
    expect(sent).toHaveLength(hook === 'onRequest' ? 0 : 1)
  })
})

describe('the cache option of fetch', () => {
  /** Returns the cache options of a client's requests, in a runtime with this class of requests. */
  const cacheOptionsIn = async (RuntimeRequest: unknown) => {
    const options: unknown[] = []
    const { Request } = globalThis
    globalThis.Request = RuntimeRequest as typeof Request
    const client = createClient({
      ...service,
      fetch: (url, init) => {
        options.push('cache' in init ? init.cache : 'none')
        return fetch(url, init)
      },
    })
    await client.customers.list().finally(() => {
      globalThis.Request = Request
    })
    return options
  }

  it('keeps Next.js from storing responses', async () => {
    expect(await cacheOptionsIn(Request)).toEqual(['no-store'])
  })

  it.each([
    [
      'refuses it',
      class {
        constructor(_: string, { cache }: RequestInit) {
          if (cache) throw new Error("The 'cache' field on 'RequestInitializerDict' is not implemented.")
        }
      },
    ],
    ['has no requests', undefined],
  ])('is absent in a runtime that %s', async (_, RuntimeRequest) => {
    expect(await cacheOptionsIn(RuntimeRequest)).toEqual(['none'])
  })
})

describe('a request id', () => {
  it('is the same in each attempt of a call, and another one in the next call', async () => {
    const { client, sent } = watchedClient()
    await service.faults.add({ lose: 'answer', operation: 'customers.create', times: 2 })
    const { requestId, attempts } = await client.customers.create({ id: 2 }).withResponse()
    await client.customers.list()
    const ids = sent.map((headers) => headers['x-request-id'])
    expect(attempts).toBe(3)
    expect(ids.slice(0, 3)).toEqual([requestId, requestId, requestId])
    expect(ids[3]).toMatch(/^[\w.:-]{8,}$/)
    expect(ids[3]).not.toBe(requestId)
  })

  it("of a gateway is reported together with the client's", async () => {
    const { client } = watchedClient({ retries: 0 })
    await service.faults.add({ answer: 429 })
    const error = await apiErrorOf(client.customers.list({ requestId: 'mine' }))
    const { requestId, sentRequestId, message } = error
    expect(sentRequestId).toBe('mine')
    expect(requestId).toMatch(/^[\w-]{36}$/)
    expect(message).toMatch(new RegExp(`^GET .*: 429 .* \\(request ${requestId}, sent as mine\\)$`))
  })

  it('is returned by withResponse, with the result and the headers of the response', async () => {
    const { client } = watchedClient()
    const first = await client.customers.create({ id: 2 }).withResponse()
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const again = await client.customers.create({ id: 2 }, { requestId: 'mine' }).withResponse()
    expect(again).toMatchObject({ data: first.data, requestId: 'mine', attempts: 1 })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const page = await client.customers.list().withResponse()
    expect(page.data.items).toHaveLength(2)
    await expect(client.customers.retrieve(3).withResponse()).rejects.toMatchObject({ status: 404 })
  })
})

it('removes its listeners from the signal of a call when the call ends', async () => {
  const { client } = watchedClient()
  const { signal } = new AbortController()
  await service.faults.add({ answer: 503, retryAfter: 0 })
  await client.products.list({ signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

describe('an aborted call', () => {
  const reason = new Error('no longer wanted')

  it('sends nothing if its signal was aborted before the call', async () => {
    const { client, sent } = watchedClient()
    await expect(client.products.list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(sent).toEqual([])
  })

  let controller: AbortController
  let results: AttemptResult[]
  beforeEach(() => {
    controller = new AbortController()
    results = []
  })

  it('ends while its request is in flight, and reports the attempt to its hook', async () => {
    await service.faults.add({ delay: 5_000 })
    const { client, sent } = watchedClient({
      onRequest: () => {
        setImmediate(() => controller.abort(reason))
      },
      onResponse: (result) => {
        results.push(result)
      },
    })
    await expect(client.products.list({ signal: controller.signal })).rejects.toBe(reason)
    expect(sent).toHaveLength(1)
    expect(results).toMatchObject([{ status: 0, retryInMillis: undefined }])
  })

  it('ends while it waits for its next attempt, and reports the attempt to its hook', async () => {
    await service.faults.add({ answer: 503, retryAfter: 30 })
    const { client, sent } = watchedClient({
      onResponse: (result) => {
        results.push(result)
        setImmediate(() => controller.abort(reason))
      },
    })
    await expect(client.products.list({ signal: controller.signal })).rejects.toBe(reason)
    expect(sent).toHaveLength(1)
    expect(results).toMatchObject([{ status: 503 }])
  })
})

it.each<[string | undefined, string, RegExp | undefined]>([
  [undefined, 'Node.js/24', /^billing-data-api\/\d+\.\d+\.\d+$/],
  ['shop/1.4', 'Node.js/24', /^shop\/1\.4 billing-data-api\/\d+\.\d+\.\d+$/],
  // In a browser the client sends none: the browser adds its own.
  ['shop/1.4', 'Mozilla/5.0 (X11; Linux x86_64)', undefined],
])('sends the user agent of the application %s on the platform %s', async (application, agent, expected) => {
  const platform = jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
  const { client, sent } = watchedClient({ application })
  platform.mockRestore()
  await client.customers.list()
  expect(sent[0]!['user-agent']).toEqual(expected && expect.stringMatching(expected))
})

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
