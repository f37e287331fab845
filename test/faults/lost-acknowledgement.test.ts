import { addApiKey, listApiKeys } from '../../shared/store/api-keys.ts'
import { createApplication, disableApplication, listApplications } from '../../shared/store/applications.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/bodies.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { runs } from '../support/runs.ts'
import { type Client, clientOf, newClient, serveForTests } from '../support/service.ts'
import { wireFault } from '../support/wire-faults.ts'

let proxy: FaultProxy
serveForTests(async (engine) => {
  proxy = await startFaultProxy(engine)
  return proxy
})

const COUNT = runs(20, 1_000)
const fault = wireFault('reset after commit')

/** Lets the next write succeed but loses its answer. */
const loseAnswer = ({ credentials }: Client, label: string): void =>
  proxy.inject(credentials.app_id, { label, fault, calls: 1 })

type Entity = Record<string, unknown>

const everyEntity = async (client: Client, plural: string): Promise<Entity[]> => {
  const all: Entity[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { json } = await client.get(`/api/${plural}?limit=100&cursor=${cursor}`)
    all.push(...json.data[plural])
    cursor = json.pagination.next_cursor
  }
  return all
}

const references = { customer_id: 'customer', product_id: 'product' }
const seeded = async (): Promise<Client> => {
  const client = await newClient()
  await client.create('/api/products', productBody({ id: 'product' }))
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  return client
}

const kinds = [
  { plural: 'products', label: 'PutItem', body: productBody, before: 1 },
  {
    plural: 'prices',
    label: 'PutItem',
    body: () => priceBody({ product_id: references.product_id }),
    before: 0,
  },
  {
    plural: 'customers',
    label: 'PutItem',
    body: () => customerBody({ phone: '1', metadata: { a: 1 } }),
    before: 1,
  },
  { plural: 'discounts', label: 'PutItem', body: discountBody, before: 0 },
  {
    plural: 'invoices',
    label: 'TransactWriteItems',
    body: () => invoiceBody({ customer_id: references.customer_id, line_items: [lineItem()] }),
    before: 0,
  },
]

describe('a lost acknowledgement', () => {
  it.each(kinds)('of a create in $plural: one entity, 200', async ({ plural, label, body, before }) => {
    const client = await seeded()
    const answered: Entity[] = []
    for (let number = 0; number < COUNT / kinds.length; number += 1) {
      loseAnswer(client, label)
      answered.unshift(await client.create(`/api/${plural}`, body()))
      expect(proxy.heal(client.credentials.app_id)).toBe(1)
    }
    const all = await everyEntity(client, plural)
    expect(all.slice(0, answered.length)).toEqual(answered)
    expect(all).toHaveLength(answered.length + before)
  })

  it('of invoices of one subscription: each once, and the subscription follows the latest', async () => {
    const client = await seeded()
    const create = (period_end: string) => {
      loseAnswer(client, 'TransactWriteItems')
      const body = invoiceBody({ customer_id: 'customer', subscription_id: 'one', period_end })
      return client.create('/api/invoices', body)
    }
    const created: Entity[] = []
    for (const month of ['02', '03', '04', '05']) created.unshift(await create(`2024-${month}-01`))
    expect(await everyEntity(client, 'invoices')).toEqual(created)
    expect(await everyEntity(client, 'subscriptions')).toMatchObject([{ latest_invoice_id: created[0]!.id }])
  })

  const put = async (client: Client, body?: object) => {
    loseAnswer(client, 'UpdateItem')
    const answer = await client.put('/api/customers/customer', body)
    expect(proxy.heal(client.credentials.app_id)).toBe(1)
    return answer
  }

  it.each<[string, (number: number) => object | undefined]>([
    ['an update', (number) => customerBody({ id: 'customer', name: `Name ${number}` })],
    ['an erasure', () => undefined],
  ])('of %s: 200, and the customer is as answered', async (_, bodyOf) => {
    const client = await seeded()
    for (let number = 0; number < COUNT / 2; number += 1) {
      const { status, json } = await put(client, bodyOf(number))
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
    proxy.inject(app_id, { label: 'UpdateItem', fault, calls: 1 })
    expect(await disableApplication(app_id)).toMatchObject({ disabled: expect.any(String) })
    expect(proxy.heal(app_id)).toBe(1)
  })
})
