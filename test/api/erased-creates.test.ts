import { anonymous, customerBody } from '../support/bodies.ts'
import { dumpTable } from '../support/dump-table.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { metered } from '../support/meter.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const [PATH, ERASED] = ['/api/customers', '/api/customers?erased=true']
const metadata = { plan: 'pro', seats: 3 }
const person = { name: 'Ann Example', email: 'ann@example.org', phone: '1', description: 'x' }

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const replayed = ({ headers }: { readonly headers: Headers }) => headers.get('idempotent-replayed')
const stored = async (): Promise<Record<string, unknown>> =>
  JSON.parse(await dumpTable()).find(({ pk }: { pk: { S: string } }) =>
    pk.S.startsWith(`${client.credentials.app_id}#`),
  )

it('records an anonymised customer with erased=true in one write, and replays its repetition', async () => {
  const calls = await metered(async () => {
    const { json } = await client.post(ERASED, { id: 42, metadata })
    expect(json.data.customer).toMatchObject({ id: expect.stringMatching(/^cus_/), ...anonymous, metadata })
  })
  expect(calls.map(({ command }) => command).filter((name) => name !== 'GetItemCommand')).toEqual([
    'PutItemCommand',
  ])
  const again = await client.post(ERASED, { id: '42', metadata, ...anonymous, phone: null })
  expect([again.status, replayed(again)]).toEqual([200, 'true'])
  expect(again.json).toEqual(await client.get(`${PATH}/42`).then(({ json }) => json))
})

it('stores the same item with erased=true as after an erasure', async () => {
  await client.create(ERASED, { id: 42, metadata })
  const { order, stamp, erased, list, pk, ...fromTheStart } = await stored()
  expect(erased).toEqual(order)
  client = await newClient()
  await client.create(PATH, { id: 42, metadata, ...person })
  await client.put(`${PATH}/42`)
  const later = await stored()
  expect(later).toMatchObject({ ...fromTheStart, erased: later.stamp })
})

it('refuses personal data with erased=true without quoting it, and records nothing', async () => {
  const { status, details } = await client.post(ERASED, { id: 42, ...person, created: '2026-01-01' })
  expect([status, details]).toEqual([
    422,
    [
      'name must be absent, null or "Anonymous customer" when erased is true.',
      'email must be absent, null or "anonymous@anonymous.invalid" when erased is true.',
      ...['description', 'created', 'phone'].map(
        (field) => `${field} must be absent or null when erased is true.`,
      ),
    ],
  ])
  expect((await client.get(`${PATH}/42`)).status).toBe(404)
})

it('refuses erased=true with 409 for a customer who is not anonymised, and changes nothing', async () => {
  const { id } = await client.create(PATH, { id: 42, ...person })
  const { status, details } = await client.post(ERASED, { id: 42 })
  expect([status, details]).toEqual([
    409,
    [`id must be unused: "42" is already the id of customer ${id}, which has not been anonymised.`],
  ])
  expect((await client.get(`${PATH}/42`)).json.data.customer.name).toBe(person.name)
})

it('replays erased=true for a customer whom a PUT has anonymised, unless metadata differs', async () => {
  await client.create(PATH, { id: 42, metadata, ...person })
  await client.put(`${PATH}/42`)
  expect(replayed(await client.post(ERASED, { id: 42, metadata }))).toBe('true')
  const { status, details } = await client.post(ERASED, { id: 42, metadata: {} })
  expect([status, details]).toEqual([409, [expect.stringMatching(/with other values of: metadata\.$/)]])
})

it('replays erased=true after an update of the customer, like every create', async () => {
  await client.create(ERASED, { id: 42, metadata })
  await client.put(`${PATH}/42`, { id: 42, name: 'Back', metadata: {} })
  const again = await client.post(ERASED, { id: 42, metadata })
  expect([again.json.data.customer.name, replayed(again)]).toEqual(['Back', 'true'])
})

it('refuses a later create of an id recorded with erased=true, as after an erasure', async () => {
  const { id } = await client.create(ERASED, { id: 42 })
  for (const body of [{ id: 42 }, { id: 42, ...person }, { id: 42, ...anonymous }])
    expect((await client.post(PATH, body)).details).toEqual([
      `id must be unused: "42" is already the id of customer ${id}, which has been anonymised.`,
    ])
})

it('records one of two concurrent creates, with erased=true and with personal data, and refuses the other', async () => {
  await inParallel(upTo(20), async (index) => {
    const body = customerBody({ id: index, name: 'Ann' })
    const [erased, named] = await Promise.all([client.post(ERASED, { id: index }), client.post(PATH, body)])
    expect([erased.status, named.status].sort()).toEqual([200, 409])
    const { name } = (await client.get(`${PATH}/${index}`)).json.data.customer
    expect(name).toBe(erased.status === 200 ? anonymous.name : 'Ann')
  })
})

it('creates as usual with erased=false', async () => {
  const { id, ...shown } = await client.create(`${PATH}?erased=false`, { id: 42, ...person })
  expect(shown).toMatchObject({ name: person.name, email: person.email })
})

it.each<[string, string]>([
  ['erased=', 'erased must be true or false (got "").'],
  ['erased=1', 'erased must be true or false (got "1").'],
  ['erased=true&erased=true', 'erased must be given once (got 2 values).'],
])('refuses ?%s', async (query, detail) => {
  const { status, details } = await client.post(`${PATH}?${query}`, { id: 42 })
  expect([status, details]).toEqual([422, [detail]])
})
