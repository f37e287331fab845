import { catalogue } from '../../shared/catalogue.ts'
import { doubleForTests } from './test-double.ts'

const { double, call, control } = doubleForTests({})

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
})
