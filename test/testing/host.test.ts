import { randomUUID } from 'node:crypto'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { isListening } from '../../tools/local/engine.ts'
import { StartError } from '../../tools/local/settings.ts'
import { startHost } from '../../tools/testing/host.ts'
import { expectDeclared } from '../support/declared.ts'
import { hostForTests, jsonOf } from '../support/test-host.ts'

const { host, call } = hostForTests({ customers: [{ id: 'seeded', name: 'Ann' }] })
const names = async (): Promise<string[]> => {
  const { data } = (await jsonOf(await call('GET', '/api/customers'))) as {
    data: { customers: { name: string }[] }
  }
  return data.customers.map(({ name }) => name)
}
const create = (name: string) => call('POST', '/api/customers', { id: randomUUID(), name })

describe('a host', () => {
  it('begins with its seed, at each reset anew', async () => {
    expect(await names()).toEqual(['Ann'])
    expect((await create('Bob')).status).toBe(200)
    expect(await names()).toEqual(['Bob', 'Ann'])
    await host().reset({ seed: { customers: [{ id: 1, name: 'Eve' }] } })
    expect(await names()).toEqual(['Eve'])
    await host().reset({ seed: {} })
    expect(await names()).toEqual([])
  })

  it('begins with the scenario: 24 months of 24 customers, the same each time', async () => {
    const listed = async (path: string) => {
      const { data } = (await jsonOf(await call('GET', path))) as { data: Record<string, unknown[]> }
      // biome-ignore lint/suspicious/noExplicitAny: entities of two kinds
      return Object.values(data)[0] as any[]
    }
    const seen = async () => {
      await host().reset({ seed: 'scenario', now: '2026-01-01' })
      return {
        subscriptions: await listed('/api/subscriptions?limit=100'),
        newest: await listed('/api/invoices?limit=100&include=line_items'),
      }
    }
    const { subscriptions, newest } = await seen()
    expect(await seen()).toEqual({ subscriptions, newest })
    expect(subscriptions).toHaveLength(24)
    expect(new Set(subscriptions.map(({ currency }) => currency)).size).toBe(3)
    const ends = subscriptions.map(({ current_period_end }) => current_period_end)
    expect(Math.max(...ends)).toBe(Date.parse('2026-01-01') / 1000)
    expect(Math.min(...ends)).toBeLessThan(Math.max(...ends))
    expect(newest.map(({ line_items }) => line_items.length)).toContain(250)
    expect(newest.filter(({ total }) => total < 0)).not.toEqual([])
    const upgrade = expect.objectContaining({ id: 'unused', amount: expect.any(Number) })
    expect(newest.map(({ line_items }) => line_items)).toContainEqual([expect.anything(), upgrade])
  })

  it('gives the same cursors at each reset where its clock stands, and others where it goes', async () => {
    const cursorAfter = async (now?: string) => {
      await host().reset({ now })
      for (const id of ['a', 'b']) await call('POST', '/api/customers', { id })
      const page = (await jsonOf(await call('GET', '/api/customers?limit=1'))) as {
        pagination: { next_cursor: string }
      }
      return page.pagination.next_cursor
    }
    const standing = await cursorAfter('2026-01-01')
    expect(standing).toMatch(/^\S+$/)
    expect(await cursorAfter('2026-01-01')).toBe(standing)
    expect(await cursorAfter('2026-01-02')).not.toBe(standing)
    expect(await cursorAfter()).not.toBe(await cursorAfter())
  })

  it('keeps one table, however often it is reset', async () => {
    await host().reset()
    await host().reset()
    const client = new DynamoDBClient({
      endpoint: host().engine.endpoint,
      region: 'local',
      credentials: { accessKeyId: 'a', secretAccessKey: 'a' },
    })
    expect((await client.send(new ListTablesCommand({}))).TableNames).toHaveLength(1)
    client.destroy()
  })

  it('knows what its seed may hold', async () => {
    await expect(host().reset({ seed: { subscriptions: [] } as never })).rejects.toThrow(
      /^seed\.subscriptions is not known; known are: products, prices, customers, discounts, invoices$/,
    )
  })

  it('says where it listens', () => {
    expect(host().baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(host().appId).toMatch(/^app_/)
  })

  it('takes nobody else for its seeding', async () => {
    await host().reset({ seed: {} })
    host().faults.add({ answer: 500, times: 9 })
    for (const pass of ['', 'x', randomUUID()])
      expect((await call('GET', '/api/customers', undefined, { 'x-seeding': pass })).status).toBe(500)
  })

  it('refuses a seed that its service refuses, by name, and can be reset afterwards', async () => {
    const seed = { customers: [{ id: 1 }, { id: '' }] }
    await expect(host().reset({ seed })).rejects.toThrow(/^seed\.customers\[1\] is refused: .*422.*id must/)
    await host().reset()
    expect(await names()).toEqual(['Ann'])
  })

  it('answers what is not HTTP as the service does', async () => {
    const { connect } = await import('node:net')
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(host().baseUrl).port), '127.0.0.1')
      socket.once('data', (chunk) => resolve(chunk.toString()))
      socket.write('hello\r\n\r\n')
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('a fault', () => {
  it.each<[429 | 500 | 503, number | undefined, string | null]>([
    [429, undefined, '1'],
    [429, 7, '7'],
    [503, undefined, '1'],
    [503, 30, '30'],
    [500, undefined, null],
    [500, 7, null],
  ])(
    'answers %s with what the service would say, retry-after %s as %s',
    async (status, retryAfter, shown) => {
      host().faults.add({ answer: status, retryAfter })
      const response = await call('POST', '/api/customers', { id: 1 }, { 'x-request-id': 'mine' })
      expectDeclared('POST', '/api/customers', {
        status,
        headers: response.headers,
        json: await jsonOf(response),
      })
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, shown])
      // The gateway, which alone answers 429, does so under its own id.
      expect(response.headers.get('x-request-id') === 'mine').toBe(status !== 429)
      expect(await names()).toEqual(['Ann'])
    },
  )

  it('that loses the request leaves nothing done', async () => {
    host().faults.add({ lose: 'request', operation: 'customers.create' })
    await expect(create('Bob')).rejects.toThrow()
    expect(await names()).toEqual(['Ann'])
  })

  it('that loses the answer leaves it done', async () => {
    host().faults.add({ lose: 'answer', operation: 'customers.create' })
    await expect(create('Bob')).rejects.toThrow()
    expect(await names()).toEqual(['Bob', 'Ann'])
  })

  it('that delays answers as always, later', async () => {
    host().faults.add({ delay: 60, operation: 'customers.list' })
    const began = performance.now()
    expect(await names()).toEqual(['Ann'])
    expect(performance.now() - began).toBeGreaterThan(55)
    expect(host().faults.pending()).toEqual([])
  })

  it('concerns its operation, and no request that is none', async () => {
    host().faults.add({ answer: 500, operation: 'products.list' })
    expect((await call('GET', '/nowhere')).status).toBe(404)
    expect(await names()).toEqual(['Ann'])
    expect(host().faults.pending()).toHaveLength(1)
    expect((await call('GET', '/api/products?limit=1')).status).toBe(500)
    expect((await call('GET', '/api/products')).status).toBe(200)
  })

  it('of any operation concerns no request that is none', async () => {
    host().faults.add({ answer: 500 })
    expect((await call('GET', '/nowhere')).status).toBe(404)
    expect((await call('GET', '/api/customers/seeded')).status).toBe(500)
  })

  it('is forgotten at a reset, with the requests that it delays', async () => {
    host().faults.add({ delay: 60_000 })
    const delayed = expect(create('late')).rejects.toThrow()
    while (host().faults.pending().length > 0) await new Promise(setImmediate)
    host().faults.add({ answer: 500 })
    await Promise.all([host().reset(), host().reset()])
    await delayed
    expect(host().faults.pending()).toEqual([])
    expect(await names()).toEqual(['Ann'])
  })
})

describe('a host that cannot start', () => {
  it('says so, and leaves no engine behind', async () => {
    const port = Number(new URL(host().baseUrl).port)
    const error = await startHost({ port, host: '127.0.0.1' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toMatch(/^cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/)
    expect(await isListening(port)).toBe(true)
  })
})
