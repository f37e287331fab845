import { setBudget } from '../support/budgets.ts'
import { dumpTable } from '../support/database/dump-table.ts'
import {
  faultsInOrder,
  passThrough,
  serveWithFaults,
  type WireFault,
} from '../support/database/fault-proxy.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { anonymisedValues } from '../support/requests/bodies.ts'
import { type ApiResponse, type Client, newClient } from '../support/requests/service.ts'

const proxy = serveWithFaults()
const lost = wireFault('reset after commit')
setBudget({ firstBackOff: 1 })

const [PATH, UPSERT] = ['/api/customers', '/api/customers?on_conflict=update']
const ann = { id: 42, name: 'Ann', email: 'ann@example.org', phone: '1', metadata: { plan: 'pro' } }

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const upsert = (body: object): Promise<ApiResponse> => client.post(UPSERT, body)
const outcomeOf = ({ status, headers }: ApiResponse) => [status, headers.get('create-outcome')]
const shown = async () => (await client.get(`${PATH}/42`)).json.data.customer
const stored = async (): Promise<unknown> =>
  JSON.parse(await dumpTable()).find(({ pk }: { pk: { S: string } }) =>
    pk.S.startsWith(`${client.credentials.app_id}#`),
  )
it('records a new customer in an upsert as in an ordinary create', async () => {
  const created = await upsert(ann)
  expect(outcomeOf(created)).toEqual([200, 'created'])
  expect(created.json.data.customer).toEqual(await shown())
  expect((await client.post(PATH, ann)).headers.get('idempotent-replayed')).toBe('true')
})

it('writes nothing for an upsert of equal values, however often it is repeated', async () => {
  await upsert(ann)
  const before = await stored()
  for (const body of [ann, { ...ann, id: '42' }, { ...ann, description: null }])
    expect(outcomeOf(await upsert(body))).toEqual([200, 'unchanged'])
  expect(await stored()).toEqual(before)
})

it('compares an upsert with the current values of the customer, not with those of its create', async () => {
  await upsert(ann)
  await client.put(`${PATH}/42`, { id: 42, name: 'Bea', phone: '2' })
  expect(outcomeOf(await upsert({ ...ann, name: 'Bea', phone: '2' }))).toEqual([200, 'unchanged'])
  expect(outcomeOf(await upsert(ann))).toEqual([200, 'updated'])
  expect((await shown()).name).toBe('Ann')
})

it.each<[string, object, object]>([
  ['changes a value', { ...ann, name: 'Bea' }, { name: 'Bea' }],
  ['changes what is not shown', { ...ann, phone: '2' }, {}],
  ['clears what is absent', { id: 42, name: 'Ann' }, { email: null, metadata: {} }],
  ['replaces metadata as a whole', { ...ann, metadata: { seats: 1 } }, { metadata: { seats: 1 } }],
])('updates a recorded customer if an upsert %s', async (_, body, changed) => {
  await upsert(ann)
  const before = await shown()
  const { json, headers } = await upsert(body)
  expect(headers.get('create-outcome')).toBe('updated')
  expect(headers.get('idempotent-replayed')).toBeNull()
  expect(json.data.customer).toEqual({ ...before, ...changed })
  expect(await shown()).toEqual(json.data.customer)
  expect(outcomeOf(await upsert(body))).toEqual([200, 'unchanged'])
})

it('compares an ordinary create with the first one, not with an upsert since', async () => {
  await client.create(PATH, ann)
  await upsert({ id: 42, name: 'Bea' })
  expect((await client.post(PATH, ann)).headers.get('idempotent-replayed')).toBe('true')
  expect((await client.post(PATH, { id: 42, name: 'Bea' })).status).toBe(409)
})

it('refuses an upsert of an anonymised customer with 409, and changes nothing', async () => {
  const { id } = await client.create(PATH, ann)
  await client.put(`${PATH}/42`)
  const before = await stored()
  for (const body of [ann, { id: 42, ...anonymisedValues, metadata: ann.metadata }]) {
    const { status, details } = await upsert(body)
    expect({ status, details }).toEqual({
      status: 409,
      details: [`id must be unused: "42" is already the id of customer ${id}, which has been anonymised.`],
    })
  }
  expect(await stored()).toEqual(before)
})

it.each<[string, WireFault[], object, string]>([
  ['its create', [lost], { ...ann, id: 43 }, 'created'],
  ['its update', [passThrough, lost], { ...ann, name: 'Bea' }, 'updated'],
])(
  'reports the outcome of an upsert even if the acknowledgement of %s is lost',
  async (_, fates, body, outcome) => {
    await client.create(PATH, ann)
    proxy.inject(client.credentials.app_id, { label: 'PutItem', ...faultsInOrder(...fates) })
    expect(outcomeOf(await upsert(body))).toEqual([200, outcome])
    expect(proxy.heal(client.credentials.app_id)).toBe(fates.length)
    expect(outcomeOf(await upsert(body))).toEqual([200, 'unchanged'])
  },
)

it.each<[string, string]>([
  ['on_conflict=', 'on_conflict must be "update" (got "").'],
  ['on_conflict=update&erased=true', 'on_conflict must be absent when erased is true.'],
])('refuses ?%s', async (query, detail) => {
  const { status, details } = await client.post(`${PATH}?${query}`, { id: 42 })
  expect({ status, details }).toEqual({ status: 422, details: [detail] })
})

it('adds the outcome header to the response of an upsert alone', async () => {
  for (const path of [PATH, '/api/customers?erased=false'])
    expect((await client.post(path, ann)).headers.has('create-outcome')).toBe(false)
})
