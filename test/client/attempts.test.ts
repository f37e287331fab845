import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { type AttemptResult, type Client, type ClientOptions, createClient } from '../../client/index.ts'
import { serviceForTests } from './test-service.ts'

const service = serviceForTests({ seed: { customers: [{ id: 1, name: 'Ann' }] } })

/** Returns a client, and the headers of every request that it sends. */
const watched = (options: Partial<ClientOptions> = {}) => {
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

describe('hooks', () => {
  it('runs a hook before and after each attempt, and never shows it the key', async () => {
    const seen: unknown[] = []
    const { client } = watched({
      onRequest: (attempt) => void seen.push(attempt),
      onResponse: (result) => void seen.push(result),
    })
    await service.faults.add({ answer: 503, retryAfter: 0 })
    await client.customers.retrieve(1, { requestId: 'mine' })
    const url = `${service.baseUrl}/api/customers/1`
    const [first, second] = [1, 2].map((attempt) => ({ method: 'GET', url, attempt, requestId: 'mine' }))
    const millis = expect.any(Number)
    const error = expect.objectContaining({ status: 503, requestId: 'mine' })
    expect(seen).toEqual([
      first,
      { ...first, millis, status: 503, error, retryInMillis: expect.any(Number) },
      second,
      { ...second, millis, status: 200, error: undefined, retryInMillis: undefined },
    ])
    expect(inspect(seen, { depth: 9, showHidden: true })).not.toContain(service.apiKey)
  })

  it('sends the headers of a hook in place of those of the client and the call, whatever their case', async () => {
    const { client, sent } = watched({
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

  it.each(['onRequest', 'onResponse'])('rejects the call with the error that %s throws', async (hook) => {
    const bug = new Error('a bug in the hook')
    const { client, sent } = watched({ [hook]: () => Promise.reject(bug) })
    await expect(client.customers.list()).rejects.toBe(bug)
    expect(sent).toHaveLength(hook === 'onRequest' ? 0 : 1)
  })
})

describe('a request id', () => {
  it('sends the same unique request id with each attempt of a call', async () => {
    const { client, sent } = watched()
    await service.faults.add({ lose: 'answer', operation: 'customers.create', times: 2 })
    const { requestId, attempts } = await client.customers.create({ id: 2 }).withResponse()
    await client.customers.list()
    const ids = sent.map((headers) => headers['x-request-id'])
    expect(attempts).toBe(3)
    expect(ids.slice(0, 3)).toEqual([requestId, requestId, requestId])
    expect(ids[3]).toMatch(/^[\w.:-]{8,}$/)
    expect(ids[3]).not.toBe(requestId)
  })

  it("reports the request id of a gateway together with the client's", async () => {
    const { client } = watched({ retries: 0 })
    await service.faults.add({ answer: 429 })
    const failed = await client.customers.list({ requestId: 'mine' }).catch((error: unknown) => error)
    const { requestId, sentRequestId, message } = failed as Record<string, string>
    expect(sentRequestId).toBe('mine')
    expect(requestId).toMatch(/^[\w-]{36}$/)
    expect(message).toMatch(new RegExp(`^GET .*: 429 .* \\(request ${requestId}, sent as mine\\)$`))
  })

  it('returns the request id and the headers of a response with the result', async () => {
    const { client } = watched()
    const first = await client.customers.create({ id: 2 }).withResponse()
    const again = await client.customers.create({ id: 2 }, { requestId: 'mine' }).withResponse()
    expect(again).toMatchObject({ data: first.data, requestId: 'mine', attempts: 1 })
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    const page = await client.customers.list().withResponse()
    expect(page.data.items).toHaveLength(2)
    await expect(client.customers.retrieve(3).withResponse()).rejects.toMatchObject({ status: 404 })
  })
})

it('leaves no listener on the signal of a call, which may outlive it', async () => {
  const { client } = watched()
  const { signal } = new AbortController()
  await service.faults.add({ answer: 503, retryAfter: 0 })
  await client.products.list({ signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

describe('an aborted call', () => {
  const reason = new Error('no longer wanted')

  it('sends nothing if its signal was aborted before', async () => {
    const { client, sent } = watched()
    await expect(client.products.list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(sent).toEqual([])
  })

  it.each([
    ['in flight', 'onRequest', { delay: 5_000 }, { status: 0, retryInMillis: undefined }],
    ['waiting for its next attempt', 'onResponse', { answer: 503, retryAfter: 30 }, { status: 503 }],
  ] as const)(
    'ends a call that is aborted while it is %s, and reports the attempt to its hook',
    async (_, moment, fault, result) => {
      await service.faults.add(fault)
      const controller = new AbortController()
      const results: AttemptResult[] = []
      const abortAt = (hook: string) => {
        if (hook === moment) setImmediate(() => controller.abort(reason))
      }
      const { client, sent } = watched({
        onRequest: () => abortAt('onRequest'),
        onResponse: (each) => {
          results.push(each)
          abortAt('onResponse')
        },
      })
      await expect(client.products.list({ signal: controller.signal })).rejects.toBe(reason)
      expect(sent).toHaveLength(1)
      expect(results).toMatchObject([result])
    },
  )
})

it.each<[string | undefined, string, RegExp | undefined]>([
  [undefined, 'Node.js/24', /^billing-data-api\/\d+\.\d+\.\d+$/],
  ['shop/1.4', 'Node.js/24', /^shop\/1\.4 billing-data-api\/\d+\.\d+\.\d+$/],
  // A browser sends its own.
  ['shop/1.4', 'Mozilla/5.0 (X11; Linux x86_64)', undefined],
])('sends the user agent of the application %s in %s', async (application, agent, expected) => {
  const platform = jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
  const { client, sent } = watched({ application })
  platform.mockRestore()
  await client.customers.list()
  expect(sent[0]!['user-agent']).toEqual(expected && expect.stringMatching(expected))
})
