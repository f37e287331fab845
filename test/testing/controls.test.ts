import { setTimeout as pause } from 'node:timers/promises'
import { catalogue } from '../../shared/catalogue.ts'
import { FaultScript } from '../../tools/testing/fault-script.ts'
import type { Fault } from '../../tools/testing/options.ts'
import { doubleForTests } from './test-double.ts'

const { double, call, control } = doubleForTests({ customers: [{ id: 'seeded', name: 'Ann' }] })

const AT_LEAST_ONE = 'body must have at least one of answer, lose, delay.'
const DELAY_LIMITS = 'delay must be an integer from 0 to 2147483647'
const UNKNOWN_OPERATION = /^operation must be one of "products\.list", .* \(got "products\.delete"\)\.$/
const REFUSED_BODY = /^seed\.customers\[1\] is refused: .*422.* id must be .*[^.]\.$/
const INVALID_DATE = /^now must be a date such as "2024-01-31", .*/
const NO_OBJECT = /^body must be a JSON object \(got /
const INVALID_SEED = 'seed must be an object of request bodies by resource, or "scenario"'
const NO_LIST = 'must be a list of request bodies'
const UNKNOWN_FIELD = 'is not a field here; use one of'
const RESOURCES = catalogue
  .filter(({ operation }) => operation === 'create')
  .map(({ resource }) => resource.plural)
  .join(', ')
const ROUTES = [
  ...['GET /__test', 'POST /__test/reset', 'PUT /__test/clock'],
  ...['POST /__test/faults', 'GET /__test/faults', 'DELETE /__test/faults'],
].join(', ')
const expectedDetail = (text: string | RegExp) =>
  typeof text === 'string' ? text : expect.stringMatching(text)

describe('a test double', () => {
  it('answers controls as usual while faults are scripted', async () => {
    const { base_url } = double().access
    await control('POST', '/faults', { answer: 500 })
    const { status, json } = await control('GET', '')
    expect(status).toBe(200)
    expect(json).toEqual({ ...double().access, control_url: `${base_url}/__test` })
    expect(base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await control('POST', '/faults', { answer: 429 })).json).toEqual({})
    expect((await control('GET', '/faults')).json).toEqual({ faults: [{ answer: 500 }, { answer: 429 }] })
    expect((await control('DELETE', '/faults')).json).toEqual({})
    expect((await control('GET', '/faults/')).json).toEqual({ faults: [] })
  })

  it.each<[object, object?]>([
    [{ answer: 503, operation: 'customers.update', call: 1, times: 1 }],
    [{ delay: 0, answer: 500, retryAfter: 0 }],
    [{ delay: 5, lose: 'answer' }],
    [{ answer: 500, lose: null, call: null }, { answer: 500 }],
  ])('accepts the fault %j', async (fault, pending = fault) => {
    expect((await control('POST', '/faults', fault)).status).toBe(200)
    expect((await control('GET', '/faults')).json).toEqual({ faults: [pending] })
  })

  it.each<[unknown, string | RegExp]>([
    [{}, AT_LEAST_ONE],
    [{ answer: 429, lose: 'answer' }, 'lose must be absent or null when answer is given (got "answer").'],
    [{ answer: 404 }, 'answer must be one of 429, 500, 503 (got 404).'],
    [{ lose: '' }, 'lose must be one of "request", "answer" (got "").'],
    [{ delay: -1 }, `${DELAY_LIMITS} (got -1).`],
    [{ delay: 0.5 }, `${DELAY_LIMITS} (got 0.5).`],
    [{ delay: 2 ** 31 }, `${DELAY_LIMITS} (got 2147483648).`],
    [{ answer: 500, call: 0 }, 'call must be an integer of at least 1 (got 0).'],
    [{ answer: 500, times: '2' }, 'times must be an integer of at least 1 (got "2").'],
    [{ answer: 500, retryAfter: -1 }, 'retryAfter must be an integer of at least 0 (got -1).'],
    [{ answer: 500, retryafter: 1 }, 'retryafter is not a field here; did you mean retryAfter?'],
    [{ answer: 500, operation: 'products.delete' }, UNKNOWN_OPERATION],
    [null, NO_OBJECT],
    [[{ answer: 500 }], NO_OBJECT],
  ])('refuses the fault %j with 422, and explains which faults are valid', async (fault, problem) => {
    const { status, details } = await control('POST', '/faults', fault)
    expect({ status, details }).toEqual({ status: 422, details: [expectedDetail(problem)] })
  })

  it.each<[string, string, unknown, string | RegExp]>([
    ['POST', '/reset', { seed: [] }, `${INVALID_SEED} (got a list of 0 items).`],
    ['POST', '/reset', { seed: { subscriptions: [] } }, `seed.subscriptions ${UNKNOWN_FIELD}: ${RESOURCES}.`],
    ['POST', '/reset', { seed: { products: 5 } }, `seed.products ${NO_LIST} (got 5).`],
    ['POST', '/reset', { seed: { products: [1] } }, /^seed.products\[0\] is refused: body must be an object/],
    ['POST', '/reset', { seed: { customers: [{ id: 1 }, { id: '' }] } }, REFUSED_BODY],
    ['POST', '/reset', { now: 0 }, INVALID_DATE],
    ['POST', '/reset', { since: 1 }, `since ${UNKNOWN_FIELD}: seed, now.`],
    ['POST', '/reset', [], NO_OBJECT],
    ['PUT', '/clock', { now: 'noon' }, INVALID_DATE],
    ['PUT', '/clock', { time: 7 }, `time ${UNKNOWN_FIELD}: now.`],
  ])('refuses %s %s with %j, and can still be reset', async (method, path, body, problem) => {
    const { status, details } = await control(method, path, body)
    expect({ status, details }).toEqual({ status: 422, details: [expectedDetail(problem)] })
    expect((await control('POST', '/reset')).status).toBe(200)
  })

  it('responds with 400 to a control whose body is not JSON, and with 404 and the known controls to an unknown one', async () => {
    const { status, details } = await call('POST', '/__test/faults', { raw: '{' })
    expect({ status, details }).toEqual({ status: 400, details: ['The body must be JSON.'] })
    const unknown = await control('GET', `/${'a'.repeat(400)}`)
    const detail = `There is no GET /__test/${'a'.repeat(192)}; use one of: ${ROUTES}.`
    expect(unknown).toMatchObject({ status: 404, details: [detail] })
  })

  it.each([undefined, null, {}, { now: null }, { now: '2030-01-01 12:00:00' }])(
    'accepts the clock setting %j',
    async (body) => {
      expect((await control('PUT', '/clock', body)).status).toBe(200)
    },
  )

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
