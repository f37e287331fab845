import { budget } from '../../shared/budget.ts'
import { serve } from '../../shared/http/serve.ts'
import { products } from '../../shared/resources/product.ts'
import { currentService } from '../../shared/store/service.ts'
import { sourceHandlers } from '../../tools/local/server.ts'
import { ampleBudget, realBudget, setBudget, shortBudget } from '../support/budgets.ts'
import { setClock } from '../support/clock.ts'
import { passThrough, serveWithFaults, type WireFault } from '../support/database/fault-proxy.ts'
import { runningMillis } from '../support/database/running-time.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { range } from '../support/range.ts'
import { productBody } from '../support/requests/bodies.ts'
import { contextWith, eventWith } from '../support/requests/gateway-events.ts'
import { type Client, newClient } from '../support/requests/service.ts'

const proxy = serveWithFaults()
afterEach(() => setBudget(ampleBudget))

const ALL_CALLS = Number.POSITIVE_INFINITY
const createProduct = (client: Client) => client.create('/api/products', productBody())

const createDuringFault = async (name: string) => {
  const client = await newClient()
  const app = client.credentials.app_id
  proxy.inject(app, { label: 'PutItem', fault: wireFault(name), calls: ALL_CALLS })
  const { status } = await client.post('/api/products', productBody())
  const calls = proxy.takeCalls(app).filter((label) => label === 'PutItem')
  return { status, attempts: calls.length }
}

it.each(['throttled', 'internal server error', 'reset before commit', 'truncated response'])(
  'sends as many attempts as the budget allows during the fault: %s',
  async (name) =>
    expect(await createDuringFault(name)).toEqual({ status: 503, attempts: budget.maxAttempts }),
)

it('does not repeat a call if access is denied', async () =>
  expect(await createDuringFault('access denied')).toEqual({ status: 500, attempts: 1 }))

it('repeats a call that hangs until the time is over or the attempts are used up', async () => {
  setBudget(shortBudget)
  const { status, attempts } = await createDuringFault('hang')
  expect(status).toBe(503)
  expect(attempts).toBeGreaterThan(1)
  expect(attempts).toBeLessThanOrEqual(budget.maxAttempts)
})

it('repeats a transaction that conflicts until the time is over, however many attempts that are', async () => {
  setBudget(shortBudget)
  const { status, attempts } = await createDuringFault('transaction conflict')
  expect(status).toBe(503)
  expect(attempts).toBeGreaterThan(budget.maxAttempts)
})

it('responds in time if both authentication and the operation hang, since they share the time budget', async () => {
  const client = await newClient()
  const app = client.credentials.app_id
  proxy.takeCalls(app)
  // An attempt that hangs takes 0.4 s. By the clock of the budget, which is mocked below, it takes 1.1 s of
  // the 4 s.
  const ATTEMPT_MILLIS = 400
  setBudget({ ...realBudget, attempt: ATTEMPT_MILLIS })
  let attempts = 0
  // Every attempt hangs except the third one, which is the last attempt of authentication.
  const fault: WireFault = (call) => {
    attempts += 1
    // The third attempt has ample time, because the machine may be busy.
    setBudget({ attempt: attempts === 2 ? ampleBudget.attempt : ATTEMPT_MILLIS })
    return attempts === 3 && call.body.includes('KEY#') ? passThrough(call) : undefined
  }
  proxy.inject(app, { label: '*', fault, calls: ALL_CALLS })
  const start = performance.now()
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => start + attempts * 1_100)
  const { status } = await client.post('/api/products', productBody())
  clock.mockRestore()
  expect(status).toBe(503)
  expect(proxy.takeCalls(app)).toEqual(['auth', 'auth', 'auth', 'PutItem'])
})

const retrieveEvent = ({ credentials }: Client) =>
  eventWith({
    headers: { Authorization: `Bearer ${credentials.api_key}`, 'X-App-Id': credentials.app_id },
    pathParameters: { id: 'product' },
  })
/** Not counting stalls of this process. */
const contextEndingIn = (millis: number) => {
  const endsAt = runningMillis() + millis
  return contextWith(() => endsAt - runningMillis())
}
const loadStuckHandler = async () => serve(products.retrieve, () => new Promise(() => undefined))
const loadRealHandler = () => sourceHandlers(products.retrieve)

it.each([
  ['during authentication', loadRealHandler, 'auth', 300],
  ['during the operation', loadRealHandler, 'GetItem', 300],
  ['before the request begins', loadRealHandler, 'auth', -100],
  ['during work without database calls', loadStuckHandler, 'none', 300],
])(
  'responds with 503 before the timeout of the function if the time budget ends %s',
  async (_, load, label, millis) => {
    const client = await newClient()
    await client.create('/api/products', productBody({ id: 'product' }))
    const retrieve = await load()
    currentService().keyCache.clear()
    proxy.inject(client.credentials.app_id, { label, fault: wireFault('hang'), calls: ALL_CALLS })
    const context = contextEndingIn(budget.responseReserve + millis)
    const { statusCode, headers, body } = await retrieve(retrieveEvent(client), context)
    expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0)
    expect(statusCode).toBe(503)
    expect(JSON.parse(body)).toEqual({
      errors: [{ code: 503, title: 'Service unavailable', detail: expect.any(String) }],
    })
    expect(headers).toHaveProperty('retry-after')
    proxy.heal(client.credentials.app_id)
    const retry = await (await loadRealHandler())(retrieveEvent(client), contextEndingIn(10_000))
    expect(retry.statusCode).toBe(200)
  },
)

it('replaces all connections that broke without a sign while the function was frozen', async () => {
  const client = await newClient()
  await Promise.all(range(12).map(() => createProduct(client)))
  proxy.muteConnections()
  setBudget({ attempt: shortBudget.attempt! })
  await createProduct(client)
})

it('replaces connections before use after a long idle time', async () => {
  const client = await newClient()
  await createProduct(client)
  proxy.muteConnections()
  setClock(() => Date.now() + budget.idleConnection + 1)
  // An attempt over a broken connection would use up the whole time budget.
  await createProduct(client)
  setClock()
})
