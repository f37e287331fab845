import { inspect } from 'node:util'
import {
  BillingApiError,
  type Client,
  type ClientOptions,
  type CreateDiscount,
  createClient,
  type Fetch,
} from '../../client/index.ts'
import { createTestService, type Fault, type TestService } from '../../tools/testing/index.ts'

let service: TestService
let attempts = 0

const counting: Fetch = (url, init) => {
  attempts += 1
  return fetch(url, init)
}
const clientWith = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ ...service, fetch: counting, ...options })

beforeAll(async () => {
  service = await createTestService({ seed: { customers: [{ id: 1, name: 'Ann' }] } })
})
afterAll(() => service.stop())
beforeEach(async () => {
  attempts = 0
  await service.reset()
})

const operations: [string, (client: Client) => Promise<unknown>][] = [
  ['a create', (client) => client.products.create({ id: 'p', name: 'Basic' })],
  ['an update', (client) => client.customers.update(1, { name: 'Bea' })],
  ['an anonymisation', (client) => client.customers.anonymise(1)],
  ['a retrieval', (client) => client.customers.retrieve(1)],
  ['a list', (client) => client.customers.list()],
]
const lost: [string, Fault][] = [
  ['a lost request', { lose: 'request' }],
  ['a lost answer', { lose: 'answer' }],
]
const refused: [string, Fault][] = [
  ['a 429', { answer: 429, retryAfter: 0 }],
  ['a 503', { answer: 503, retryAfter: 0 }],
  ['an answer that is too slow', { delay: 20_000 }],
]
const passing = [
  ...lost.flatMap(([what, fault]) => operations.map(([name, run]) => ({ what, fault, name, run }))),
  ...refused.map(([what, fault]) => ({ what, fault, name: 'a create', run: operations[0]![1] })),
]

describe('the client retries', () => {
  it.each(passing)('$name after $what', async ({ fault, run }) => {
    const expected = await run(clientWith())
    await service.reset()
    attempts = 0
    await service.faults.add(fault)
    expect(await run(clientWith({ timeout: fault.delay ? 1_000 : undefined }))).toEqual(expected)
    expect(attempts).toBe(2)
    expect(await service.faults.pending()).toEqual([])
  })

  it('a create whose answer is lost twice, and one entity is recorded', async () => {
    await service.faults.add({ operation: 'products.create', lose: 'answer', times: 2 })
    const product = await clientWith().products.create({ id: 'p', name: 'Basic' })
    expect((await clientWith().products.list()).items).toEqual([product])
  })

  it('after the delay in Retry-After', async () => {
    await service.faults.add({ answer: 503, retryAfter: 1 })
    const start = performance.now()
    await clientWith().products.list()
    expect(performance.now() - start).toBeGreaterThanOrEqual(990)
  })
})

describe('the client gives up', () => {
  it.each([[0], [2]])('after %s retries if the option says so', async (retries) => {
    await service.faults.add({ answer: 503, retryAfter: 0, times: 9 })
    const failed: unknown = await clientWith({ retries })
      .products.list()
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(BillingApiError)
    expect(failed).toMatchObject({
      status: 503,
      retryAfter: 0,
      errors: [{ code: 503, title: 'Service unavailable' }],
    })
    expect(attempts).toBe(retries + 1)
  })

  it.each<[string, Fault, object]>([
    ['a 500', { answer: 500 }, { status: 500, errors: [{ title: 'Internal error' }] }],
    ['a Retry-After of more than a minute', { answer: 429, retryAfter: 61 }, { status: 429, retryAfter: 61 }],
  ])('immediately after %s', async (_, fault, expected) => {
    await service.faults.add(fault)
    await expect(clientWith().products.list()).rejects.toMatchObject({
      ...expected,
      requestId: expect.stringMatching(/.{8}/),
    })
    expect(attempts).toBe(1)
  })

  it('with every fault that the service found', async () => {
    const body = { id: 1, name: 'x', duration: 'repeating', currency: 'XXZ' } as CreateDiscount
    const failed = clientWith().discounts.create(body)
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(
        /^POST http:\S+\/api\/discounts: 422 Invalid request: .*currency must be/,
      ),
      status: 422,
      errors: expect.arrayContaining([
        { code: 422, title: 'Invalid request', detail: expect.stringContaining('duration_in_months') },
      ]),
    })
    expect(attempts).toBe(1)
  })

  it('with the reason why no answer came', async () => {
    await service.faults.add({ lose: 'request', times: 9 })
    const lost = clientWith({ retries: 1 }).products.list({ requestId: 'lost-1' })
    await expect(lost).rejects.toMatchObject({
      status: 0,
      errors: [],
      requestId: 'lost-1',
      cause: expect.objectContaining({ message: 'fetch failed' }),
      message: expect.stringMatching(
        /^GET http:\S+\/api\/products: no answer \(.*fetch failed: .+\) \(request lost-1\)$/,
      ),
    })
    await service.faults.clear()
    await service.faults.add({ delay: 5_000 })
    await expect(clientWith({ retries: 0, timeout: 100 }).products.list()).rejects.toThrow(
      'no answer (Error: timed out after 100 ms)',
    )
  })

  it('without revealing its key', async () => {
    const client = clientWith({ retries: 0 })
    await service.faults.add({ lose: 'request' })
    const failed: unknown = await client.products.list().catch((error: unknown) => error)
    expect(inspect([failed, client], { depth: 9, showHidden: true })).not.toContain(service.apiKey)
  })
})

describe('an aborted call', () => {
  const reason = new Error('no longer wanted')

  it('is not sent', async () => {
    await expect(clientWith().products.list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(attempts).toBe(0)
  })

  it.each<[string, Fault]>([
    ['under way', { delay: 5_000 }],
    ['waiting for its next attempt', { answer: 503, retryAfter: 30 }],
  ])('ends while it is %s', async (_, fault) => {
    await service.faults.add(fault)
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 200)
    await expect(clientWith().products.list({ signal: controller.signal })).rejects.toBe(reason)
    expect(attempts).toBe(1)
  })

  it('ends the iteration of a list', async () => {
    const controller = new AbortController()
    const all = clientWith().customers.all({ limit: 1, signal: controller.signal })
    await clientWith().customers.create({ id: 2 })
    await all.next()
    controller.abort(reason)
    await expect(all.next()).rejects.toBe(reason)
  })
})
