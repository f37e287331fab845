import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { budget } from '../../shared/budget.ts'
import { setClock } from '../../shared/clock.ts'
import { serve } from '../../shared/http/serve.ts'
import { price } from '../../shared/resources/price.ts'
import { products } from '../../shared/resources/product.ts'
import { forgetApplications } from '../../shared/store/authorisation.ts'
import { sourceHandlers } from '../../tools/local/server.ts'
import { productBody } from '../support/bodies.ts'
import { type FaultProxy, startFaultProxy, type WireFault } from '../support/fault-proxy.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { stalledMillis } from '../support/stalls.ts'
import { faults } from '../support/wire-faults.ts'

let proxy: FaultProxy
serveForTests(async (engine) => {
  proxy = await startFaultProxy(engine)
  return proxy
})

const wire = (name: string): WireFault => faults.find((fault) => fault.name === name)!.wire
const always = Number.POSITIVE_INFINITY

/** Creates a product while `fault` lasts. Returns the number of attempts of the write. */
const tries = async (fault: WireFault) => {
  const client = await newClient()
  const app = client.credentials.app_id
  proxy.inject(app, { label: 'PutItem', fault, calls: always })
  const { status } = await client.post('/api/products', productBody())
  const calls = proxy.takeCalls(app).filter((label) => label === 'PutItem')
  proxy.heal(app)
  return { status, calls: calls.length }
}

describe('attempts on the wire', () => {
  it.each(['throttled', 'internal server error', 'reset before commit', 'truncated answer'])(
    '%s: as many as the budget allows',
    async (name) => expect(await tries(wire(name))).toEqual({ status: 503, calls: budget.attempts }),
  )

  it.each(['access denied', 'missing table', 'refused request'])('%s: one', async (name) =>
    expect(await tries(wire(name))).toEqual({ status: 500, calls: 1 }),
  )

  it('a hang: as many as fit into the budget; a transaction conflict: until the budget is spent', async () => {
    const [hang, conflict] = await Promise.all([tries(wire('hang')), tries(wire('transaction conflict'))])
    expect(hang).toEqual({ status: 503, calls: expect.any(Number) })
    expect(hang.calls).toBeGreaterThan(1)
    expect(hang.calls).toBeLessThanOrEqual(budget.attempts)
    expect(conflict).toEqual({ status: 503, calls: expect.any(Number) })
    expect(conflict.calls).toBeGreaterThan(budget.attempts)
  })

  it('are still retried after a long outage', async () => {
    await Promise.all(Array.from({ length: 40 }, () => tries(wire('reset before commit'))))
    const client = await newClient()
    proxy.inject(client.credentials.app_id, {
      label: 'PutItem',
      fault: wire('reset before commit'),
      calls: budget.attempts - 1,
    })
    await client.create('/api/products', productBody())
  })
})

describe('the time budget', () => {
  it('is shared by authentication and operation: if both hang, the answer comes within 5 s', async () => {
    const client = await newClient()
    const app = client.credentials.app_id
    proxy.takeCalls(app)
    let hung = 0
    // Hangs always, except at the last attempt of authentication.
    const fault: WireFault = async ({ response, body, forward }) => {
      hung += 1
      if (hung !== 3 || !body.includes('KEY#')) return
      const answer = await forward()
      response.writeHead(answer.status, answer.headers).end(answer.body)
    }
    proxy.inject(app, { label: '*', fault, calls: always })
    const startedAt = performance.now() - stalledMillis()
    expect((await client.post('/api/products', productBody())).status).toBe(503)
    expect(performance.now() - stalledMillis() - startedAt).toBeLessThan(5_000)
    expect(proxy.takeCalls(app)).toEqual(['auth', 'auth', 'auth', 'PutItem'])
    proxy.heal(app)
  })

  const event = ({ credentials }: Client) =>
    ({
      headers: { Authorization: `Bearer ${credentials.api_key}`, 'X-App-Id': credentials.app_id },
      pathParameters: { id: 'product' },
    }) as unknown as APIGatewayProxyEvent
  const withTime = (millis: number): Context => {
    const endsAt = performance.now() - stalledMillis() + millis
    return { getRemainingTimeInMillis: () => endsAt - performance.now() + stalledMillis() } as Context
  }
  const early = 300
  const enveloped = { errors: [expect.objectContaining({ code: 503, title: 'Service unavailable' })] }

  it.each([
    ['authentication', 'auth', budget.early + early],
    ['the operation', 'GetItem', budget.early + early],
    ['everything, as none is left', 'auth', budget.early - 100],
  ])("ends before the function's timeout in %s", async (_, label, millis) => {
    const client = await newClient()
    await client.create('/api/products', productBody({ id: 'product' }))
    const retrieve = await sourceHandlers(products.retrieve)
    forgetApplications()
    proxy.inject(client.credentials.app_id, { label, fault: wire('hang'), calls: always })
    const context = withTime(millis)
    const { statusCode, headers, body } = await retrieve(event(client), context)
    expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0)
    expect({ statusCode, body: JSON.parse(body) }).toEqual({ statusCode: 503, body: enveloped })
    expect(headers).toHaveProperty('retry-after')
    proxy.heal(client.credentials.app_id)
    expect(await retrieve(event(client), withTime(10_000))).toHaveProperty('statusCode', 200)
  })

  it("ends before the function's timeout in work without database calls", async () => {
    const client = await newClient()
    const stuck = serve(products.retrieve, () => new Promise(() => undefined), { price })
    const context = withTime(budget.early + early)
    const { statusCode, body } = await stuck(event(client), context)
    expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0)
    expect({ statusCode, body: JSON.parse(body) }).toEqual({ statusCode: 503, body: enveloped })
  })
})

describe('connections that broke while the function was frozen', () => {
  it.each([
    ['without a word', () => proxy.deafen()],
    ['by a reset', () => proxy.cut()],
  ])('%s are replaced', async (_, die) => {
    const client = await newClient()
    const creates = Array.from({ length: 12 }, () => client.create('/api/products', productBody()))
    await Promise.all(creates)
    die()
    await client.create('/api/products', productBody())
  })

  it('are replaced before use after a long idle time', async () => {
    const client = await newClient()
    await client.create('/api/products', productBody())
    proxy.deafen()
    setClock(() => Date.now() + budget.idle + 1)
    const startedAt = performance.now()
    await client.create('/api/products', productBody())
    setClock()
    // An attempt over a broken connection would time out.
    expect(performance.now() - startedAt).toBeLessThan(budget.attempt)
  })
})
