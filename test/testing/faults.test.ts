import { setTimeout as pause } from 'node:timers/promises'
import { FaultScript } from '../../tools/testing/fault-script.ts'
import type { Fault } from '../../tools/testing/options.ts'
import { doubleForTests } from './test-double.ts'

describe('a test double', () => {
  const { double, call, control } = doubleForTests({ customers: [{ id: 'seeded', name: 'Ann' }] })
  const inject = (fault: Fault) => control('POST', '/faults', fault)
  const pendingFaults = async () => (await control('GET', '/faults')).json.faults
  const customers = (method = 'GET', body?: unknown, headers = {}) =>
    call(method, '/api/customers', { body, headers })
  const customerNames = async () =>
    (await customers()).json.data.customers.map(({ name }: { name: string }) => name)
  const createBob = () => customers('POST', { id: 'Bob', name: 'Bob' })

  it.each<[429 | 500 | 503, number | undefined, string | null]>([
    [429, undefined, '1'],
    [429, 7, '7'],
    [503, undefined, '1'],
    [503, 30, '30'],
    [500, undefined, null],
    [500, 7, null],
  ])(
    'responds to a scripted %s as the service does, with retryAfter %s as Retry-After %s',
    async (answer, retryAfter, header) => {
      await inject({ answer, retryAfter })
      const { status, headers } = await customers('POST', { id: 1 }, { 'x-request-id': 'mine' })
      expect(status).toBe(answer)
      expect(headers.get('retry-after')).toBe(header)
      // The gateway answers a 429, with its own request id.
      expect(headers.get('x-request-id') === 'mine').toBe(answer !== 429)
      expect(await customerNames()).toEqual(['Ann'])
    },
  )

  it.each([
    ['request', 'before', ['Ann']],
    ['answer', 'after', ['Bob', 'Ann']],
  ] as const)(
    'loses the %s by closing the connection %s the call is processed',
    async (lose, _, expected) => {
      await inject({ lose, operation: 'customers.create' })
      await expect(createBob()).rejects.toThrow('fetch failed')
      expect(await customerNames()).toEqual(expected)
    },
  )

  it('processes a call that a fault only delays', async () => {
    await inject({ delay: 60 })
    const startedAt = performance.now()
    expect(await customerNames()).toEqual(['Ann'])
    expect(performance.now() - startedAt).toBeGreaterThan(55)
    expect(await pendingFaults()).toEqual([])
  })

  it('injects no fault into a request for a path without an operation', async () => {
    await inject({ answer: 500 })
    expect((await call('GET', '/nowhere')).status).toBe(404)
    expect((await customers()).status).toBe(500)
  })

  it('can be reset after a client has closed its connection while its request was delayed', async () => {
    await inject({ delay: 60 })
    const { base_url } = double().access
    const abandoned = fetch(`${base_url}/api/customers`, { signal: AbortSignal.timeout(20) })
    await expect(abandoned).rejects.toThrow('aborted due to timeout')
    await pause(80)
    await double().reset()
    expect(await customerNames()).toEqual(['Ann'])
  })

  it('removes its faults and ends delayed requests when it is reset', async () => {
    await inject({ delay: 60_000 })
    const delayed = expect(createBob()).rejects.toThrow('fetch failed')
    while ((await pendingFaults()).length > 0) await pause(5)
    await inject({ answer: 500 })
    await Promise.all([double().reset(), double().reset()])
    await delayed
    expect(await pendingFaults()).toEqual([])
    expect(await customerNames()).toEqual(['Ann'])
  })
})

describe('a fault script', () => {
  const secondCall = { answer: 503, call: 2 } as const
  const nextTwoCalls = { answer: 429, times: 2 } as const
  const secondListOfPrices = { ...secondCall, operation: 'prices.list' } as const

  /** The statuses of the faults that affect these calls, in order; "-" for a call without a fault. */
  it.each<[string, Fault[], calls: string, statuses: string]>([
    ['nothing', [], 'a.b a.b', '- -'],
    ['the next call', [{ answer: 503 }], 'a.b a.b', '503 -'],
    ['two calls from the second on', [{ ...secondCall, times: 2 }], 'a.b a.b a.b a.b', '- 503 503 -'],
    ['calls in turn', [{ answer: 429 }, { answer: 503 }], 'a.b a.b a.b', '429 503 -'],
    ['calls that no other fault takes', [nextTwoCalls, secondCall], 'a.b a.b a.b a.b a.b', '429 429 - 503 -'],
    ['calls of an operation', [secondListOfPrices], 'prices.list a.b prices.list prices.list', '- - 503 -'],
    ['calls of any operation', [secondCall], 'prices.list a.b prices.list', '- 503 -'],
  ])('applies its faults to %s', (_, faults, calls, statuses) => {
    const script = new FaultScript()
    for (const fault of faults) script.add(fault)
    const answers = calls.split(' ').map((operation) => script.take(operation)?.answer ?? '-')
    expect(answers.join(' ')).toBe(statuses)
  })

  it('reports the remaining faults, with the number of remaining calls', () => {
    const script = new FaultScript()
    script.add({ answer: 503, times: 3 })
    script.add({ delay: 5, operation: 'prices.list' })
    script.take('products.list')
    expect(script.pending()).toEqual([
      { answer: 503, times: 2 },
      { delay: 5, operation: 'prices.list' },
    ])
    script.clear()
    expect(script.pending()).toEqual([])
  })
})
