import { customerBody } from '../support/bodies.ts'
import { type FaultProxy, startFaultProxy, type WireFault } from '../support/fault-proxy.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { dumpTable } from '../support/table.ts'

let proxy: FaultProxy
serveForTests(async (engine) => {
  proxy = await startFaultProxy(engine)
  return proxy
})

const anonymous = { name: 'Anonymous customer', email: 'anonymous@anonymous.invalid' }

/** Lets something happen to an application's next update on the wire. */
const onUpdate = ({ credentials }: Client, fault: WireFault): void =>
  proxy.inject(credentials.app_id, { label: 'UpdateItem', fault, calls: 1 })

const setUp = async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me', name: 'First' }))
  return client
}

const expectErased = async (client: Client, ...names: string[]) => {
  expect((await client.get('/api/customers/me')).json.data.customer).toMatchObject(anonymous)
  const dump = await dumpTable()
  expect(names.filter((name) => dump.includes(name))).toEqual([])
}

describe('an update on the wire', () => {
  it('that arrives after the erasure which followed its own retry brings nothing back', async () => {
    const client = await setUp()
    let arrive = async (): Promise<unknown> => undefined
    onUpdate(client, ({ request, forward }) => {
      arrive = forward
      request.socket.resetAndDestroy()
    })
    expect((await client.put('/api/customers/me', { id: 'me', name: 'Too late' })).status).toBe(200)
    expect((await client.put('/api/customers/me')).status).toBe(200)
    await arrive()
    await expectErased(client, 'First', 'Too late')
  })

  it('that was done, erased, and then lost its answer is not done again', async () => {
    const client = await setUp()
    onUpdate(client, async ({ request, forward }) => {
      await forward()
      expect((await client.put('/api/customers/me')).status).toBe(200)
      request.socket.resetAndDestroy()
    })
    // Whether it was done can't be known any more; who sends it again says that it is to be done after the erasure.
    const answer = await client.put('/api/customers/me', { id: 'me', name: 'Done once' })
    expect(answer.status).toBe(503)
    await expectErased(client, 'First', 'Done once')
    const again = await client.put('/api/customers/me', { id: 'me', name: 'Meant so' })
    expect(again.json.data.customer).toMatchObject({ name: 'Meant so', email: anonymous.email })
  })

  it('of a customer that was erased long ago is done, also after a throttle', async () => {
    const client = await setUp()
    await client.put('/api/customers/me')
    onUpdate(client, ({ response }) => {
      const __type = 'com.amazonaws.dynamodb.v20120810#ThrottlingException'
      response
        .writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify({ __type }))
    })
    for (const name of ['Back', 'Again']) {
      const { status, json } = await client.put('/api/customers/me', { id: 'me', name })
      expect([status, json.data.customer.name]).toEqual([200, name])
    }
    expect((await client.put('/api/customers/me')).status).toBe(200)
    await expectErased(client, 'Back', 'Again')
  })
})
