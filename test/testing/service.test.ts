import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Client, createClient } from '../../client/index.ts'
import { createTestService, type Seed, type TestService } from '../../tools/testing/index.ts'

const seed: Seed = {
  products: [{ id: 'basic', name: 'Basic' }],
  prices: [
    {
      id: 'monthly',
      product_id: 'basic',
      currency: 'EUR',
      price: 999,
      type: 'recurring',
      interval: 'month',
      interval_count: 1,
    },
  ],
  customers: [{ id: 1, name: 'Ann' }, { id: 2 }],
}
let service: TestService
let client: Client

beforeAll(async () => {
  service = await createTestService({ seed, now: new Date('2026-01-01T00:00:00Z') })
  client = createClient(service)
})
afterAll(() => service.stop())
beforeEach(() => service.reset())

const everything = async () =>
  JSON.stringify([
    await client.products.list({ include: ['prices'] }),
    await client.customers.list({ limit: 1 }),
  ])

describe('a test service', () => {
  it('is the real service, with all its rules', async () => {
    const refused = client.products.create({ id: '', name: 'x'.repeat(256) })
    await expect(refused).rejects.toMatchObject({
      status: 422,
      errors: [{ detail: expect.stringMatching(/^id /) }, { detail: expect.stringMatching(/^name /) }],
    })
    const stranger = createClient({ ...service, apiKey: 'bdk_wrong' })
    await expect(stranger.products.list()).rejects.toMatchObject({ status: 401 })
  })

  it('keeps connections open longer than clients do', async () => {
    const { headers } = await fetch(`${service.baseUrl}/api/products`)
    expect(headers.get('keep-alive')).toBe('timeout=75')
  })

  it('begins with its seed, in its order', async () => {
    expect((await client.customers.list()).items.map(({ name }) => name)).toEqual([null, 'Ann'])
    const { prices } = await client.products.retrieve('basic', { include: ['prices'] })
    expect(prices).toEqual([expect.objectContaining({ price: 999 })])
  })

  it('begins anew at a reset', async () => {
    await client.products.create({ id: 'pro', name: 'Pro' })
    await client.customers.anonymise(1)
    await service.faults.add({ answer: 503, times: 9 })
    await service.reset()
    expect((await client.products.list()).items).toHaveLength(1)
    expect(await client.customers.retrieve(1)).toMatchObject({ name: 'Ann' })
  })

  it('begins with another seed where a reset says so, for once', async () => {
    await service.reset({ seed: { products: [{ id: 'other', name: 'Other' }] } })
    expect((await client.products.list()).items).toMatchObject([{ name: 'Other' }])
    await service.reset()
    expect((await client.products.list()).items).toMatchObject([{ name: 'Basic' }])
  })

  it('gives the same ids and cursors at every run', async () => {
    const first = await everything()
    await service.reset()
    expect(await everything()).toBe(first)
    const other = await createTestService({ seed, now: '2026-01-01' })
    try {
      const another = createClient(other)
      expect(await another.customers.retrieve(1)).toEqual(await client.customers.retrieve(1))
      expect((await another.customers.list({ limit: 1 })).next_cursor).toBe(
        (await client.customers.list({ limit: 1 })).next_cursor,
      )
      await another.products.create({ id: 'only here', name: 'x' })
      await expect(client.products.retrieve('only here')).rejects.toMatchObject({ status: 404 })
    } finally {
      await other.stop()
    }
  })

  it('lists what was created later first even if its clock stood still or was set back', async () => {
    await client.products.create({ id: 2, name: 'second' })
    await service.setTime('2020-01-01')
    await client.products.create({ id: 3, name: 'third' })
    await service.setTime()
    await client.products.create({ id: 4, name: 'fourth' })
    expect((await client.products.list()).items.map(({ name }) => name)).toEqual([
      'fourth',
      'third',
      'second',
      'Basic',
    ])
  })

  it('lets a request that began before a reset end before it', async () => {
    const created = Promise.all(
      [1, 2, 3, 4].map((id) =>
        client.discounts.create(
          { id, name: 'x', duration: 'once', percent_off: 1, currency: 'EUR' },
          { retries: 0 },
        ),
      ),
    )
    await client.discounts.list()
    await service.reset()
    const before = await created
    const after = (await client.discounts.list()).items
    expect(before).toHaveLength(4)
    // Each was recorded as a whole before the reset, or as a whole after it.
    for (const discount of after) expect(before).toContainEqual(discount)
  })

  it('ends a request that a fault still delays when it is reset', async () => {
    await service.faults.add({ delay: 60_000 })
    const delayed = client.products.list({ retries: 0 })
    const ended = expect(delayed).rejects.toMatchObject({ status: 0 })
    while ((await service.faults.pending()).length > 0) await pause(5)
    await service.reset()
    await ended
  })

  it('ends with the process that started it, which it does not keep alive', async () => {
    const script = `import { createTestService } from './tools/testing/index.ts'
      console.log((await createTestService()).baseUrl)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    const answers = () =>
      fetch(stdout.trim()).then(
        () => true,
        () => false,
      )
    while (await answers()) await pause(50)
    expect(await answers()).toBe(false)
  })

  it.each([
    [
      'a seed that the service refuses',
      { seed: { customers: [{ id: 1 }, { id: '' }] } },
      /seed\.customers\[1\] is refused: .*422.*id must be/,
    ],
    ['an unknown kind of seed', { seed: { subscriptions: [] } as Seed }, /seed\.subscriptions is not known/],
    ['a time that is none', { now: 'yesterday' }, /now must be a date/],
  ])('is refused with %s', async (_, options, message) => {
    await expect(createTestService(options)).rejects.toThrow(message)
    await expect(service.reset(options)).rejects.toThrow(message)
  })

  it('cannot be started on a port that is taken', async () => {
    const port = Number(new URL(service.baseUrl).port)
    await expect(createTestService({ port })).rejects.toThrow(
      /cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/,
    )
  })

  it('ends once, and says so afterwards', async () => {
    const short = await createTestService()
    await Promise.all([short.stop(), short.stop()])
    await expect(short.reset()).rejects.toThrow('The test service has ended.')
    await expect(createClient({ ...short, retries: 0 }).products.list()).rejects.toMatchObject({ status: 0 })
  })
})
