import { setTimeout as pause } from 'node:timers/promises'
import {
  type Client,
  type CreateCustomer,
  type CreateResult,
  type Customer,
  createClient,
} from '../../client/index.ts'
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
