import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { budget } from '../../shared/budget.ts'
import { serve } from '../../shared/http/serve.ts'
import { products } from '../../shared/resources/product.ts'
import { currentService } from '../../shared/store/service.ts'
import { sourceHandlers } from '../../tools/local/server.ts'
import { ampleBudget, realBudget, setBudget } from '../support/budgets.ts'
import { setClock } from '../support/clock.ts'
import { passThrough, serveWithFaults, type WireFault } from '../support/database/fault-proxy.ts'
import { runningMillis } from '../support/database/running-time.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { range } from '../support/range.ts'
import { productBody } from '../support/requests/bodies.ts'
import { type Client, newClient } from '../support/requests/service.ts'

const proxy = serveWithFaults()
afterEach(() => setBudget(ampleBudget))

const always = Number.POSITIVE_INFINITY
const createProduct = (client: Client) => client.create('/api/products', productBody())

/** Creates a product while a fault lasts. Returns the number of attempts of the write. */
const tries = async (name: string) => {
  const client = await newClient()
  const app = client.credentials.app_id
  proxy.inject(app, { label: 'PutItem', fault: wireFault(name), calls: always })
  const { status } = await client.post('/api/products', productBody())
  const calls = proxy.takeCalls(app).filter((label) => label === 'PutItem')
  return { status, calls: calls.length }
}

it.each(['throttled', 'internal server error', 'reset before commit', 'truncated response'])(
  'sends as many attempts as the budget allows after %s',
  async (name) => expect(await tries(name)).toEqual({ status: 503, calls: budget.maxAttempts }),
)

it('does not repeat an attempt whose access is denied', async () =>
  expect(await tries('access denied')).toEqual({ status: 500, calls: 1 }))

it('stops after hangs when the time is over, and repeats after transaction conflicts until then', async () => {
  setBudget(realBudget)
  const [hang, conflict] = await Promise.all([tries('hang'), tries('transaction conflict')])
  expect(hang.status).toBe(503)
  expect(conflict.status).toBe(503)
  expect(hang.calls).toBeGreaterThan(1)
  expect(hang.calls).toBeLessThanOrEqual(budget.maxAttempts)
  expect(conflict.calls).toBeGreaterThan(budget.maxAttempts)
})

it('responds in time if both authentication and the operation hang, since they share the time budget', async () => {
  const client = await newClient()
  const app = client.credentials.app_id
  proxy.takeCalls(app)
  // By the clock of the budget, each attempt that hangs takes 1.1 s of its 4 s.
  setBudget({ ...realBudget, attempt: 400 })
  let hung = 0
  // Hangs always, except at the last attempt of authentication.
  const fault: WireFault = (call) => {
    hung += 1
    // The attempt that succeeds has ample time on a busy machine.
    setBudget({ attempt: hung === 2 ? ampleBudget.attempt : 400 })
    return hung === 3 && call.body.includes('KEY#') ? passThrough(call) : undefined
  }
  proxy.inject(app, { label: '*', fault, calls: always })
  const start = performance.now()
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => start + hung * 1_100)
  const { status } = await client.post('/api/products', productBody())
  clock.mockRestore()
  expect(status).toBe(503)
  expect(proxy.takeCalls(app)).toEqual(['auth', 'auth', 'auth', 'PutItem'])
})

const event = ({ credentials }: Client) =>
  ({
    headers: { Authorization: `Bearer ${credentials.api_key}`, 'X-App-Id': credentials.app_id },
    pathParameters: { id: 'product' },
  }) as unknown as APIGatewayProxyEvent
const withTime = (millis: number): Context => {
  const endsAt = runningMillis() + millis
  return { getRemainingTimeInMillis: () => endsAt - runningMillis() } as Context
}
const stuck = async () => serve(products.retrieve, () => new Promise(() => undefined))
const real = () => sourceHandlers(products.retrieve)

it.each([
  ['authentication', real, 'auth', 300],
  ['the operation', real, 'GetItem', 300],
  ['everything, as none is left', real, 'auth', -100],
  ['work without database calls', stuck, 'none', 300],
])(
  "responds with 503 before the function's timeout if the time ends in %s",
  async (_, load, label, millis) => {
    const client = await newClient()
    await client.create('/api/products', productBody({ id: 'product' }))
    const retrieve = await load()
    currentService().keyCache.clear()
    proxy.inject(client.credentials.app_id, { label, fault: wireFault('hang'), calls: always })
    const context = withTime(budget.responseReserve + millis)
    const { statusCode, headers, body } = await retrieve(event(client), context)
    expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0)
    expect(statusCode).toBe(503)
    expect(JSON.parse(body)).toEqual({
      errors: [{ code: 503, title: 'Service unavailable', detail: expect.any(String) }],
    })
    expect(headers).toHaveProperty('retry-after')
    proxy.heal(client.credentials.app_id)
    const again = await (await real())(event(client), withTime(10_000))
    expect(again.statusCode).toBe(200)
  },
)

it('replaces all connections that broke silently while the function was frozen', async () => {
  const client = await newClient()
  await Promise.all(range(12).map(() => createProduct(client)))
  proxy.muteConnections()
  setBudget(realBudget)
  await createProduct(client)
})

it('replaces connections before use after a long idle time', async () => {
  const client = await newClient()
  await createProduct(client)
  proxy.muteConnections()
  setClock(() => Date.now() + budget.idleConnection + 1)
  // An attempt over a broken connection would use up all the time.
  await createProduct(client)
  setClock()
})
