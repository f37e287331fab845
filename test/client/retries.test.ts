import { inspect } from 'node:util'
import fc from 'fast-check'
import {
  type AttemptResult,
  BillingApiError,
  type Client,
  type ClientOptions,
  type CreateDiscount,
  createClient,
} from '../../client/index.ts'
import type { Fault } from '../../tools/testing/index.ts'
import { runs } from '../support/runs.ts'
import { serviceForTests } from './test-service.ts'

const service = serviceForTests({ seed: { customers: [{ id: 1, name: 'Ann' }] } })
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
  const onResponse = ({ error }: AttemptResult) => void failures.push(...(error ? [error.message] : []))
  // A busy machine may need more than one retry.
  const client = clientWith({ timeout: 300, retries: 100, onResponse })
  const created = await client.products.create({ id: 'p', name: 'Basic' })
  expect(failures[0]).toContain('timed out after 300 ms')
  expect(await clientWith().products.list()).toMatchObject({ items: [created] })
  expect(attempts).toBe(failures.length + 1 + 1)
  expect(await service.faults.pending()).toEqual([])
})

describe('a call that fails', () => {
  const unavailable = { answer: 503, retryAfter: 0, times: 9 } as const
  const isBusy = { status: 503, retryAfter: 0, errors: [{ code: 503, title: 'Service unavailable' }] }

  it.each<[string, Fault, number | undefined, object, number]>([
    ['after a 503, without a retry', unavailable, 0, isBusy, 1],
    ['after a 503, with as many retries as the option allows', unavailable, 2, isBusy, 3],
    ['immediately after a 500', { answer: 500 }, undefined, { errors: [{ title: 'Internal error' }] }, 1],
  ])('rejects %s', async (_, fault, retries, error, expected) => {
    await service.faults.add(fault)
    const failed: unknown = await clientWith({ retries })
      .products.list()
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(BillingApiError)
    expect(failed).toMatchObject({ ...error, requestId: expect.stringMatching(/.{8}/) })
    expect(attempts).toBe(expected)
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
    const lost = await client.products.list({ requestId: 'lost-1' }).catch((error: unknown) => error)
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

it('waits as long as a response takes if the timeout is longer than any timer', async () => {
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
    .map(([what, when]) => ({ ...what, ...when }) as Fault),
  { maxLength: 5 },
)
const numbers = [2, 3, 4, 5]

it('loses no change and duplicates no entity, whatever transient faults there are in any order', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      await service.reset({ seed: {} })
      const { customers } = createClient({ ...service, retries: 8 })
      for (const fault of script) await service.faults.add(fault)
      const recorded = numbers.map(async (id) => {
        const created = await customers.create({ id, name: `${id}`, metadata: { id } })
        const changes = { name: `changed ${id}`, email: `${id}@example.org` }
        await Promise.all([
          customers.update(id, { name: changes.name }),
          customers.update(id, { email: changes.email }),
        ])
        return { ...created, ...changes }
      })
      const expected = await Promise.all(recorded)
      await service.faults.clear()
      const { items } = await customers.list()
      expect(items).toHaveLength(numbers.length)
      expect(items).toEqual(expect.arrayContaining(expected))
    }),
    { numRuns: runs(5, 300) },
  )
})
