import { ampleBudget, realBudget, setBudget } from '../support/budgets.ts'
import { setClock } from '../support/clock.ts'
import { storedItems } from '../support/database/dump-table.ts'
import {
  faultsInOrder,
  passThrough,
  serveWithFaults,
  type WireFault,
} from '../support/database/fault-proxy.ts'
import { overtakeEachWrite } from '../support/database/overtaking.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { anonymisedValues, customerBody } from '../support/requests/bodies.ts'
import { expectOutcome, expectReplay, isReplay } from '../support/requests/create-responses.ts'
import { type ApiResponse, clientForEachTest } from '../support/requests/service.ts'

const proxy = serveWithFaults()
const lostAcknowledgement = wireFault('reset after commit')

const PATH = '/api/customers'
const ann = { id: 42, name: 'Ann', email: 'ann@example.org', phone: '1', metadata: { plan: 'pro' } }

const client = clientForEachTest()

const upsert = (body: object): Promise<ApiResponse> => client.post(`${PATH}?on_conflict=update`, body)
const retrieve = async () => (await client.get(`${PATH}/42`)).json.data.customer
const stored = () => storedItems(client.credentials.app_id)

it('records a new customer in an upsert as in an ordinary create', async () => {
  const created = await upsert(ann)
  expectOutcome(created, 'created')
  expect(created.json.data.customer).toEqual(await retrieve())
  expectReplay(await client.post(PATH, ann))
})

it('writes nothing for an upsert of equal values, however often it is repeated', async () => {
  await upsert(ann)
  const before = await stored()
  for (const body of [ann, { ...ann, id: '42' }, { ...ann, description: null }])
    expectOutcome(await upsert(body), 'unchanged')
  expect(await stored()).toEqual(before)
})

it('compares an upsert with the current values of the customer, not with the values of its create', async () => {
  await upsert(ann)
  await client.put(`${PATH}/42`, { id: 42, name: 'Bea', phone: '2' })
  expectOutcome(await upsert({ ...ann, name: 'Bea', phone: '2' }), 'unchanged')
  expectOutcome(await upsert(ann), 'updated')
  expect((await retrieve()).name).toBe('Ann')
})

it.each<[string, object, object]>([
  ['changes a value', { ...ann, name: 'Bea' }, { name: 'Bea' }],
  ['changes a hidden field', { ...ann, phone: '2' }, {}],
  ['clears absent fields', { id: 42, name: 'Ann' }, { email: null, metadata: {} }],
  ['replaces metadata as a whole', { ...ann, metadata: { seats: 1 } }, { metadata: { seats: 1 } }],
])('updates a recorded customer if an upsert %s', async (_, body, changed) => {
  await upsert(ann)
  const before = await retrieve()
  const response = await upsert(body)
  expectOutcome(response, 'updated')
  expect(isReplay(response)).toBe(false)
  const { customer } = response.json.data
  expect(customer).toEqual({ ...before, ...changed })
  expect(await retrieve()).toEqual(customer)
  expectOutcome(await upsert(body), 'unchanged')
})

it('compares an ordinary create with the first create, not with a later upsert', async () => {
  await client.create(PATH, ann)
  await upsert({ id: 42, name: 'Bea' })
  expectReplay(await client.post(PATH, ann))
  expect((await client.post(PATH, { id: 42, name: 'Bea' })).status).toBe(409)
})

it('refuses an upsert of an anonymised customer with 409, and changes nothing', async () => {
  const { id } = await client.create(PATH, ann)
  await client.put(`${PATH}/42`)
  const before = await stored()
  const details = [`id must be unused: "42" is already the id of customer ${id}, which has been anonymised.`]
  for (const body of [ann, { id: 42, ...anonymisedValues, metadata: ann.metadata }])
    expect(await upsert(body)).toMatchObject({ status: 409, details })
  expect(await stored()).toEqual(before)
})

it('refuses an upsert of a customer who is anonymised between its read and its write, and changes nothing', async () => {
  await client.create(PATH, ann)
  const eraseFirst: WireFault = async (call) => {
    expect((await client.put(`${PATH}/42`)).status).toBe(200)
    await passThrough(call)
  }
  proxy.inject(client.credentials.app_id, { label: 'PutItem', ...faultsInOrder(passThrough, eraseFirst) })
  expect((await upsert({ ...ann, name: 'Bea' })).status).toBe(409)
  expect(await retrieve()).toMatchObject(anonymisedValues)
})

it.each<[string, WireFault[], object, 'created' | 'updated']>([
  ['create', [lostAcknowledgement], { ...ann, id: 43 }, 'created'],
  ['update', [passThrough, lostAcknowledgement], { ...ann, name: 'Bea' }, 'updated'],
])(
  'reports the outcome of an upsert even if the acknowledgement of its %s is lost',
  async (_, faults, body, outcome) => {
    const app = client.credentials.app_id
    await client.create(PATH, ann)
    proxy.inject(app, { label: 'PutItem', ...faultsInOrder(...faults) })
    expectOutcome(await upsert(body), outcome)
    expect(proxy.heal(app)).toBe(faults.length)
    expectOutcome(await upsert(body), 'unchanged')
  },
)

it.each<[string, string]>([
  ['on_conflict=', 'on_conflict must be "update" (got "").'],
  ['on_conflict=update&erased=true', 'on_conflict must be absent when erased is true.'],
])('refuses ?%s', async (query, detail) => {
  expect(await client.post(`${PATH}?${query}`, { id: 42 })).toMatchObject({ status: 422, details: [detail] })
})

it('adds no outcome header to the response of a create that is no upsert', async () => {
  for (const path of [PATH, `${PATH}?erased=false`])
    expect((await client.post(path, ann)).headers.has('create-outcome')).toBe(false)
})

describe('an update that others overtake', () => {
  interface Row {
    readonly limit: string
    /** Of the longest time of the write. */
    readonly pauseShare: number
    readonly update: number
    readonly possibleWrites: readonly number[]
  }

  const rows: readonly Row[] = [
    { limit: 'six writes', pauseShare: 0, update: ampleBudget.update, possibleWrites: [6] },
    // Five writes, or fewer on a busy machine.
    {
      limit: 'a second and a half',
      pauseShare: 0.8,
      update: realBudget.update,
      possibleWrites: [1, 2, 3, 4, 5],
    },
  ]

  it.each(rows)(
    'refuses an update with 429 after $limit, if other updates always come first',
    async (row) => {
      setBudget({ update: row.update })
      const { id } = await client.create('/api/customers', customerBody())
      const counted = overtakeEachWrite()
      jest.spyOn(Math, 'random').mockReturnValue(row.pauseShare)
      const [update, erasure] = [{ id, name: 'Slower' }, undefined]
      for (const body of [update, erasure]) {
        counted.writes = 0
        const { status, headers, details } = await client.put(`/api/customers/${id}`, body)
        expect({ status, retryAfter: headers.get('retry-after'), details }).toEqual({
          status: 429,
          retryAfter: '1',
          details: [
            'Too many updates of this customer at once; this one changed nothing. Send it again a little later.',
          ],
        })
        expect(row.possibleWrites).toContain(counted.writes)
      }
      jest.restoreAllMocks()
      setBudget(ampleBudget)
      expect((await client.get(`/api/customers/${id}`)).json.data.customer.name).toBe('Faster')
    },
  )
})

describe('a rename', () => {
  afterEach(() => setClock())
  beforeEach(async () => {
    await client.create('/api/products', { id: 'plan', name: 'Plan' })
  })

  interface Renamable {
    readonly name: string
    readonly body: Readonly<Record<string, unknown>>
    /** A create can change it. */
    readonly nameField: string
    /** Absent if the body has no other field. */
    readonly fixed?: { readonly field: string; readonly value: unknown }
  }

  const priceBody = {
    id: 1,
    product_id: 'plan',
    title: 'Pro',
    currency: 'EUR',
    price: 1900,
    type: 'recurring',
    interval: 'month',
    interval_count: 1,
  }
  const renamables: readonly Renamable[] = [
    { name: 'product', body: { id: 1, name: 'Pro' }, nameField: 'name' },
    { name: 'price', body: priceBody, nameField: 'title', fixed: { field: 'price', value: 2900 } },
    {
      name: 'discount',
      body: { id: 1, name: 'Spring', duration: 'once', percent_off: 10, currency: 'EUR' },
      nameField: 'name',
      fixed: { field: 'percent_off', value: 20 },
    },
  ]

  /** The time of a test, which is later than that of each test before it. */
  let second = 1_900_000_000

  describe.each(renamables)(
    'a create of a $name with on_conflict=update',
    ({ name, body, nameField, fixed }) => {
      const path = `/api/${name}s`
      const renamed = { ...body, [nameField]: 'Another name' }
      const upsert = (sent: object): Promise<ApiResponse> => client.post(`${path}?on_conflict=update`, sent)
      const retrieve = async () => (await client.get(`${path}/1`)).json.data[name]

      it('renames a recorded entity, and reports whether it was created, updated or unchanged', async () => {
        expectOutcome(await upsert(body), 'created')
        expectOutcome(await upsert(body), 'unchanged')
        const before = await retrieve()
        const response = await upsert(renamed)
        expectOutcome(response, 'updated')
        expect(response.json.data[name]).toEqual({ ...before, [nameField]: 'Another name' })
        expect(await retrieve()).toEqual({ ...before, [nameField]: 'Another name' })
        expectOutcome(await upsert(renamed), 'unchanged')
      })

      it('does not change that an ordinary create is a replay of equal values and a conflict with others', async () => {
        const { id } = await client.create(path, body)
        await upsert(renamed)
        expectReplay(await client.post(path, body))
        expect((await client.post(path, renamed)).status).toBe(409)
        expect((await retrieve()).id).toBe(id)
      })

      it('shows the new name in a change feed, once, after all earlier records', async () => {
        second += 2
        setClock(() => second * 1_000)
        await client.create(path, body)
        await client.create(path, { ...body, id: 2 })
        await upsert(renamed)
        // The feed has the changes before the current second.
        setClock(() => (second + 1) * 1_000)
        const { json } = await client.get(`${path}?changed_since=${second}&include=external_id`)
        const listed = json.data[`${name}s`].map((entity: Record<string, unknown>) => [
          entity.external_id,
          entity[nameField],
          entity.changed,
        ])
        expect(listed).toEqual([
          ['2', body[nameField], second],
          ['1', 'Another name', second],
        ])
      })

      if (fixed)
        it('refuses a difference in any other field with 409, and changes nothing', async () => {
          const { id } = await client.create(path, body)
          const before = await retrieve()
          for (const sent of [body, renamed])
            expect(await upsert({ ...sent, [fixed.field]: fixed.value })).toMatchObject({
              status: 409,
              details: [
                `id must be unused, or sent with the recorded values of all fields but ${nameField}: "1" is already the id of ${name} ${id}, created with other values of: ${fixed.field}.`,
              ],
            })
          expect(await retrieve()).toEqual(before)
        })
    },
  )

  it('clears the title of a price that is upserted without one', async () => {
    const { title: _, ...untitled } = priceBody
    await client.create('/api/prices', priceBody)
    expectOutcome(await client.post('/api/prices?on_conflict=update', untitled), 'updated')
    expect((await client.get('/api/prices/1')).json.data.price.title).toBeNull()
  })

  it('shows the new name of a price wherever the price is embedded', async () => {
    await client.create('/api/prices', priceBody)
    await client.post('/api/prices?on_conflict=update', { ...priceBody, title: 'New' })
    const { json } = await client.get('/api/products/plan?include=prices')
    expect(json.data.product.prices).toEqual([expect.objectContaining({ title: 'New' })])
  })
})
