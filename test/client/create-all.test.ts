import { getEventListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  BillingApiError,
  type Client,
  type ClientOptions,
  type CreateCustomer,
  type CreateProduct,
  type CreateResult,
  type Customer,
  createClient,
} from '../../client/index.ts'
import { createLimiter } from '../../client/limiter.ts'
import { range } from '../support/range.ts'
import { serviceForTests } from './test-service.ts'

const service = serviceForTests()
let client: Client
beforeAll(() => {
  client = createClient(service)
})

type Result = CreateResult<Customer, CreateCustomer>
const bodies = (count: number): CreateCustomer[] =>
  Array.from({ length: count }, (_, index) => ({ id: index, name: `Customer ${index}` }))
const customerNames = async () => (await Array.fromAsync(client.customers.all())).map(({ name }) => name)

describe('createAll', () => {
  it('creates every body, reports which entities are new, and completes an earlier run', async () => {
    await client.customers.createAll(bodies(5))
    const results: Result[] = []
    const summary = await client.customers.createAll(bodies(30), {
      onProgress: (result, done) => {
        results.push(result)
        expect(done).toBe(results.length)
      },
    })
    expect(summary).toEqual({ created: 25, updated: 0, unchanged: 5, failed: [] })
    expect(results.map(({ index }) => index).sort((a, b) => a - b)).toEqual(bodies(30).map(({ id }) => id))
    for (const { index, body, ...result } of results) {
      const outcome = index < 5 ? 'unchanged' : 'created'
      expect(index).toBe(body.id)
      expect(result).toMatchObject({ outcome, entity: { name: body.name } })
    }
    expect(await customerNames()).toHaveLength(30)
  })

  it('updates existing entities with on_conflict, and reports which it has updated', async () => {
    await client.customers.createAll(bodies(3))
    await client.customers.update(1, { phone: '1' })
    await client.customers.anonymise(2)
    const outcomes: string[] = []
    const { failed, ...counts } = await client.customers.createAll(bodies(4), {
      on_conflict: 'update',
      onProgress: ({ index, outcome }) => outcomes.push(`${index} ${outcome}`),
    })
    expect(counts).toEqual({ created: 1, updated: 1, unchanged: 1 })
    expect(failed).toMatchObject([{ index: 2, error: { status: 409 } }])
    expect(outcomes.sort()).toEqual(['0 unchanged', '1 updated', '2 failed', '3 created'])
  })

  it('reports each refused body, and continues with the others', async () => {
    await client.customers.create({ id: 0, name: 'Somebody else' })
    const mixed = [...bodies(3), { id: '' }, { id: 8, metadata: { rate: Number.NaN } }, { id: 9 }]
    await service.faults.add({ operation: 'customers.create', call: 3, times: 4, answer: 500 })
    const { failed, ...counts } = await client.customers.createAll(mixed, { concurrency: 1 })
    expect(counts).toEqual({ created: 2, updated: 0, unchanged: 0 })
    expect(failed).toMatchObject([
      { index: 0, body: { id: 0 }, error: { status: 409 } },
      { index: 2, body: { id: 2 }, error: { status: 500 } },
      { index: 3, body: { id: '' }, error: { status: 422 } },
      // The client refuses NaN itself.
      { index: 4, body: { id: 8 }, error: { name: 'TypeError' } },
    ])
  })

  it('reads bodies no faster than it sends them, and closes their source when it stops', async () => {
    let read = 0
    let closed = false
    async function* source() {
      try {
        for (const body of bodies(1_000)) {
          read += 1
          yield body
        }
      } finally {
        closed = true
      }
    }
    const unsent: number[] = []
    const enough = new Error('enough')
    const running = client.customers.createAll(source(), {
      concurrency: 3,
      onProgress: async (_, done) => {
        unsent.push(read - done)
        await pause(1)
        if (done === 20) throw enough
      },
    })
    await expect(running).rejects.toBe(enough)
    expect(Math.max(...unsent)).toBeLessThanOrEqual(3)
    expect(closed).toBe(true)
    expect(read).toBeLessThan(30)
  })

  it('creates entities in the order of the bodies with a concurrency of 1', async () => {
    await client.customers.createAll(new Set(bodies(4)), { concurrency: 1 })
    expect(await customerNames()).toEqual(['Customer 3', 'Customer 2', 'Customer 1', 'Customer 0'])
  })

  it.each([0, -1, Number.NaN, '8'])('refuses a concurrency of %p before anything is sent', async (value) => {
    const concurrency = value as number
    const message = /^concurrency must be a number of at least 1 \(got /
    const error = { name: 'TypeError', message: expect.stringMatching(message) }
    await expect(client.customers.createAll(bodies(4), { concurrency })).rejects.toMatchObject(error)
    expect(await customerNames()).toEqual([])
  })

  it('rejects with the error of its source or signal, after the creates in progress', async () => {
    const broken = new Error('the file is broken')
    function* source() {
      yield* bodies(2)
      throw broken
    }
    await expect(client.customers.createAll(source())).rejects.toBe(broken)
    expect(await customerNames()).toHaveLength(2)
    const aborted = client.customers.createAll(bodies(2), { signal: AbortSignal.abort(broken) })
    await expect(aborted).rejects.toBe(broken)
  })
})

describe('creates that are stopped', () => {
  const access = { baseUrl: 'http://billing.test', appId: 'app', apiKey: 'key' }
  const bodies: CreateProduct[] = range(3).map((id) => ({ id, name: `${id}` }))
  /** A `fetch` whose responses have this status. */
  const fetchGiving = (status: number) => async () => new Response('{"data":{"product":{}}}', { status })

  const bug = () => new TypeError('a bug in the program')
  const abortedBefore = { signal: AbortSignal.abort(bug()) }

  /** A `fetch` whose first response has this status. The later ones are successes. */
  const fetchGivingFirst = (status: number) => {
    let isFirst = true
    return async () => {
      const nextStatus = isFirst ? status : 200
      isFirst = false
      return fetchGiving(nextStatus)()
    }
  }

  describe('createAll', () => {
    it.each([400, 409, 413, 422])('reports a body that is refused with %i, and continues', async (status) => {
      const { products } = createClient({ ...access, fetch: fetchGivingFirst(status) })
      const { created, failed } = await products.createAll(bodies, { concurrency: 1 })
      expect(created).toBe(bodies.length - 1)
      expect(failed).toMatchObject([{ index: 0, error: { status } }])
    })

    it.each([301, 401, 403, 404, 415])('stops at a response of %i', async (status) => {
      const { products } = createClient({ ...access, fetch: fetchGivingFirst(status) })
      const summary = { created: 0, failed: [] }
      await expect(products.createAll(bodies, { concurrency: 1 })).rejects.toMatchObject({ status, summary })
    })

    it.each<[string, CreateProduct[], { signal?: AbortSignal }, Partial<ClientOptions>]>([
      ['its signal', bodies, abortedBefore, {}],
      ['its signal, without a body', [], abortedBefore, {}],
      ['a hook', bodies, {}, { onResponse: () => Promise.reject(bug()) }],
    ])(
      'rejects with the TypeError that comes from %s, and reports no body as refused',
      async (_, source, options, hooks) => {
        const onProgress = jest.fn()
        const { products } = createClient({ ...access, fetch: fetchGiving(200), ...hooks })
        await expect(products.createAll(source, { ...options, onProgress })).rejects.toThrow(bug())
        expect(onProgress).not.toHaveBeenCalled()
      },
    )

    it('rejects with the BillingApiError that its source throws, and reports no body as refused', async () => {
      const refusal = new BillingApiError('a call of the source was refused', { status: 422 })
      function* source() {
        yield* bodies
        throw refusal
      }
      const { products } = createClient({ ...access, fetch: fetchGiving(503) })
      await expect(products.createAll(source())).rejects.toBe(refusal)
      expect(refusal.summary).toMatchObject({ created: 0, failed: [] })
    })

    it.each<[string, number, { signal?: AbortSignal }]>([
      ['a failure that concerns all bodies', 401, {}],
      ['a signal that was aborted before', 200, abortedBefore],
    ])('reads at most one body because of %s, and closes its source', async (_, status, options) => {
      let read = 0
      const { promise: closed, resolve: close } = Promise.withResolvers<void>()
      async function* source() {
        try {
          for (const body of bodies) {
            read += 1
            yield body
          }
        } finally {
          close()
        }
      }
      const { products } = createClient({ ...access, fetch: fetchGiving(status) })
      await expect(products.createAll(source(), { ...options, concurrency: 1 })).rejects.toThrow()
      await closed
      expect(read).toBe(1)
    })

    it.each([
      ['a failure that concerns all bodies', 401, { status: 401 }],
      ['its signal', 200, { message: 'enough' }],
    ])(
      'rejects because of %s while its source is idle, and closes the source later',
      async (_, status, error) => {
        const ending = new AbortController()
        const onProgress = jest.fn(() => ending.abort(new Error('enough')))
        const options = { signal: ending.signal, onProgress }
        const { promise: idle, resolve: continueSource } = Promise.withResolvers<void>()
        const { promise: closed, resolve: close } = Promise.withResolvers<void>()
        let sent = 0
        async function* source() {
          try {
            yield bodies[0]!
            await idle
            // If `createAll` took this body, it would report it as refused without sending it.
            yield { id: Number.NaN, name: 'Basic' }
          } finally {
            close()
          }
        }
        const fetch = () => {
          sent += 1
          return fetchGiving(status)()
        }
        const { products } = createClient({ ...access, fetch })
        await expect(products.createAll(source(), options)).rejects.toMatchObject(error)
        onProgress.mockClear()
        continueSource()
        await closed
        expect(sent).toBe(1)
        expect(onProgress).not.toHaveBeenCalled()
      },
    )

    it('removes its listeners from its signal when it ends', async () => {
      const { signal } = new AbortController()
      const { products } = createClient({ ...access, fetch: fetchGiving(200) })
      await products.createAll(bodies, { signal })
      expect(getEventListeners(signal, 'abort')).toEqual([])
    })
  })

  it('a limiter that is stopped starts none of the attempts that wait for their turn, and rejects them', async () => {
    const limiter = createLimiter(1)
    const { promise: response, resolve: respond } = Promise.withResolvers<object>()
    const attempt = jest.fn(() => response)
    const active = limiter.run(attempt)
    while (attempt.mock.calls.length === 0) await Promise.resolve()
    const waiting = jest.fn(async () => ({}))
    const rejected = expect(limiter.run(waiting)).rejects.toThrow(bug())
    limiter.stop(bug())
    await rejected
    respond({})
    await active
    expect(waiting).not.toHaveBeenCalled()
  })
})
