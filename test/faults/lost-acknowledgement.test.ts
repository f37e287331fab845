import { catalogue } from '../../shared/catalogue.ts'
import { addApiKey, listApiKeys } from '../../tools/applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  listApplications,
} from '../../tools/applications/applications.ts'
import { customerBody, invoiceBody } from '../support/bodies.ts'
import { setBudget } from '../support/budgets.ts'
import { serveWithFaults } from '../support/faulty-service.ts'
import { forward } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type Client, clientOf, newClient } from '../support/service.ts'
import { wireFault } from '../support/wire-faults.ts'
import { bodyOf, seedOf } from './operations.ts'

const proxy = serveWithFaults()

setBudget({ backOff: 1 })

const COUNT = runs(20, 1_000)
const fault = wireFault('reset after commit')

/** Lets the next write succeed but loses its response. */
const loseResponse = ({ credentials }: Client, label: string): void =>
  proxy.inject(credentials.app_id, { label, fault, calls: 1 })

type Entity = Record<string, unknown>

const everyEntity = async (client: Client, plural: string): Promise<Entity[]> =>
  (await forward(client, `/api/${plural}`, { limit: 100 })).flatMap(({ items }) => items)

const withCustomer = async (): Promise<Client> => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  return client
}

const creates = catalogue.filter(({ operation }) => operation === 'create')

describe('a lost acknowledgement', () => {
  it.each(creates)('of $id: one entity, 200', async ({ path, resource }) => {
    const client = await newClient()
    await seedOf(resource)(client)
    const before = await everyEntity(client, resource.plural)
    const derives = Object.values(resource.fields).some(({ reference }) => reference?.mayBegin)
    const recorded: Entity[] = []
    for (let number = 0; number < COUNT / creates.length; number += 1) {
      loseResponse(client, derives ? 'TransactWriteItems' : 'PutItem')
      const { status, json, headers } = await client.post(path, bodyOf(resource, `lost ${number}`))
      // No earlier request recorded it.
      expect([status, headers.get('idempotent-replayed')]).toEqual([200, null])
      recorded.unshift(json.data[resource.name])
      expect(proxy.heal(client.credentials.app_id)).toBe(1)
    }
    expect(await everyEntity(client, resource.plural)).toEqual([...recorded, ...before])
  })

  it('of a create, and then an erasure: 200, and the customer is anonymised', async () => {
    const client = await newClient()
    proxy.inject(client.credentials.app_id, {
      label: 'PutItem',
      fault: async (call) => {
        await call.forward()
        await client.put('/api/customers/customer')
        return fault(call)
      },
      calls: 1,
    })
    const { status, json } = await client.post('/api/customers', customerBody({ id: 'customer' }))
    expect([status, json.data?.customer.name]).toEqual([200, 'Anonymous customer'])
  })

  it('of invoices of one subscription: each once, and the subscription follows the latest', async () => {
    const client = await withCustomer()
    const create = (period_end: string) => {
      loseResponse(client, 'TransactWriteItems')
      const body = invoiceBody({ customer_id: 'customer', subscription_id: 'one', period_end })
      return client.create('/api/invoices', body)
    }
    const created: Entity[] = []
    for (const month of ['02', '03', '04', '05']) created.unshift(await create(`2024-${month}-01`))
    expect(await everyEntity(client, 'invoices')).toEqual(created)
    expect(await everyEntity(client, 'subscriptions')).toMatchObject([{ latest_invoice_id: created[0]!.id }])
  })

  const put = async (client: Client, body?: object) => {
    loseResponse(client, 'UpdateItem')
    const response = await client.put('/api/customers/customer', body)
    expect(proxy.heal(client.credentials.app_id)).toBe(1)
    return response
  }

  it.each<[string, (number: number) => object | undefined]>([
    ['an update', (number) => customerBody({ id: 'customer', name: `Name ${number}` })],
    ['an erasure', () => undefined],
  ])('of %s: 200, and the customer is as in the response', async (_, change) => {
    const client = await withCustomer()
    for (let number = 0; number < COUNT / 2; number += 1) {
      const { status, json } = await put(client, change(number))
      expect(status).toBe(200)
      expect((await client.get('/api/customers/customer')).json).toEqual(json)
    }
    expect(await everyEntity(client, 'customers')).toHaveLength(1)
  })

  it('of a new application and of a new key: both work, and nothing is duplicated', async () => {
    proxy.inject('*', { label: 'auth', fault, calls: 1 })
    const credentials = await createApplication('Lost')
    expect(proxy.heal('*')).toBe(1)
    proxy.inject('*', { label: 'auth', fault, calls: 1 })
    const second = await addApiKey(credentials.app_id)
    expect(proxy.heal('*')).toBe(1)
    for (const each of [credentials, second])
      expect((await clientOf(each).get('/api/products')).status).toBe(200)
    expect((await listApplications()).filter(({ name }) => name === 'Lost')).toHaveLength(1)
    expect(await listApiKeys(credentials.app_id)).toHaveLength(2)
  })

  it('of disabling an application: it is disabled', async () => {
    const { app_id } = await createApplication('Lost')
    proxy.inject(app_id, { label: 'PutItem', fault, calls: 1 })
    expect(await disableApplication(app_id)).toMatchObject({ disabled: expect.any(String) })
    expect(proxy.heal(app_id)).toBe(1)
  })
})
