import { ampleBudget, realBudget, setBudget } from '../support/budgets.ts'
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
import {
  type ApiResponse,
  clientForEachTest,
  clientForTests,
  serveForTests,
} from '../support/requests/service.ts'

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
  serveForTests()

  const client = clientForTests()

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
