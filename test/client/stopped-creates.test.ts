import { getEventListeners } from 'node:events'
import { BillingApiError, type ClientOptions, type CreateProduct, createClient } from '../../client/index.ts'
import { createLimiter } from '../../client/limiter.ts'
import { range } from '../support/range.ts'

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
          // A body with this id is reported as refused without being sent, if it is taken at all.
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
