import { inspect } from 'node:util'
import fc from 'fast-check'
import {
  type AttemptResult,
  type Client,
  type ClientOptions,
  type CreateDiscount,
  createClient,
} from '../../client/index.ts'
import type { Fault } from '../../tools/testing/index.ts'
import { runs } from '../support/runs.ts'
import { apiErrorOf } from './api-error.ts'
import { serviceForTests } from './test-service.ts'

const service = serviceForTests({ seed: { customers: [{ id: 1, name: 'Ann' }] } })
/** The number of requests that clients of this file have sent in a test. */
let attempts = 0
beforeEach(() => {
  attempts = 0
})
const clientWith = (options: Partial<ClientOptions> = {}): Client =>
  createClient({
    ...service,
    onRequest: () => {
      attempts += 1
    },
    ...options,
  })

it('retries a request that takes longer than the timeout, and records its entity once', async () => {
  await service.faults.add({ delay: 20_000 })
  const failures: string[] = []
  const onResponse = ({ error }: AttemptResult) => {
    if (error) failures.push(error.message)
  }
  // A busy machine may need more than one retry.
  const client = clientWith({ timeout: 300, retries: 100, onResponse })
  const created = await client.products.create({ id: 'p', name: 'Basic' })
  expect(failures[0]).toContain('timed out after 300 ms')
  expect(await clientWith().products.list()).toMatchObject({ items: [created] })
  const successes = 2
  expect(attempts).toBe(failures.length + successes)
  expect(await service.faults.pending()).toEqual([])
})

describe('a call that fails', () => {
  const unavailable = { answer: 503, retryAfter: 0, times: 9 } as const
  const unavailableError = {
    status: 503,
    retryAfter: 0,
    errors: [{ code: 503, title: 'Service unavailable' }],
    requestId: expect.stringMatching(/.{8}/),
  }

  it.each([0, 2])('rejects after as many retries of a 503 as the option allows: %i', async (retries) => {
    await service.faults.add(unavailable)
    const error = await apiErrorOf(clientWith({ retries }).products.list())
    expect(error).toMatchObject(unavailableError)
    expect(attempts).toBe(1 + retries)
  })

  it('rejects immediately after a 500', async () => {
    await service.faults.add({ answer: 500 })
    const error = await apiErrorOf(clientWith().products.list())
    expect(error).toMatchObject({ status: 500, errors: [{ title: 'Internal error' }] })
    expect(error.requestId).toMatch(/.{8}/)
    expect(attempts).toBe(1)
  })

  it('rejects with every error that the service reports', async () => {
    const body = { id: 1, name: 'x', duration: 'repeating', currency: 'XXZ' } as CreateDiscount
    const detail = expect.stringContaining('duration_in_months')
    const errors = expect.arrayContaining([{ code: 422, title: 'Invalid request', detail }])
    const message = /^POST http:\S+\/api\/discounts: 422 Invalid request: .*currency must be/
    const failed = { status: 422, errors, message: expect.stringMatching(message) }
    await expect(clientWith().discounts.create(body)).rejects.toMatchObject(failed)
    expect(attempts).toBe(1)
  })

  it('rejects with the reason why there is no response, and does not reveal the key', async () => {
    await service.faults.add({ lose: 'request', times: 2 })
    const client = clientWith({ retries: 1 })
    const lost = await apiErrorOf(client.products.list({ requestId: 'lost-1' }))
    const message = /^GET http:\S+\/api\/products: no response \(.*fetch failed: .+\) \(request lost-1\)$/
    expect(lost).toMatchObject({
      status: 0,
      errors: [],
      requestId: 'lost-1',
      message: expect.stringMatching(message),
      cause: expect.objectContaining({ message: 'fetch failed' }),
    })
    expect(inspect([lost, client], { depth: 9, showHidden: true })).not.toContain(service.apiKey)
    await service.faults.add({ delay: 5_000 })
    await expect(clientWith({ retries: 0, timeout: 100 }).products.list()).rejects.toThrow(
      'no response (Error: timed out after 100 ms)',
    )
  })
})

it('waits without a limit if the timeout is longer than any timer', async () => {
  await service.faults.add({ delay: 50 })
  await clientWith({ retries: 0, timeout: Number.POSITIVE_INFINITY }).products.list()
  expect(attempts).toBe(1)
})

const transient = fc.oneof(
  fc.record({ answer: fc.constantFrom(429, 503), retryAfter: fc.constant(0) }),
  fc.record({ lose: fc.constantFrom('request', 'answer') }),
  fc.record({ delay: fc.integer({ min: 1, max: 50 }) }),
)
const operation = fc.constantFrom('customers.create', 'customers.update', undefined)
const scripts: fc.Arbitrary<Fault[]> = fc.array(
  fc
    .tuple(transient, fc.record({ operation, call: fc.integer({ min: 1, max: 6 }) }))
    .map(([fault, condition]) => ({ ...fault, ...condition }) as Fault),
  { maxLength: 5 },
)
const ids = [2, 3, 4, 5]

it('loses no change and duplicates no entity, whatever transient faults occur in any order', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      await service.reset({ seed: {} })
      const { customers } = createClient({ ...service, retries: 8 })
      for (const fault of script) await service.faults.add(fault)
      const recording = ids.map(async (id) => {
        const created = await customers.create({ id, name: `${id}`, metadata: { id } })
        const changes = { name: `changed ${id}`, email: `${id}@example.org` }
        await Promise.all([
          customers.update(id, { name: changes.name }),
          customers.update(id, { email: changes.email }),
        ])
        return { ...created, ...changes }
      })
      const expected = await Promise.all(recording)
      await service.faults.clear()
      const { items } = await customers.list()
      expect(items).toHaveLength(ids.length)
      expect(items).toEqual(expect.arrayContaining(expected))
    }),
    { numRuns: runs(5, 300) },
  )
})
