import { createHash, randomUUID } from 'node:crypto'
import { dumpTable } from '../support/database/dump-table.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import { anonymisedValues, customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'
import { runs } from '../support/runs.ts'

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

// store/calls.test.ts shows that this is one write.
it('records an anonymised customer with erased=true, and replays its repetition', async () => {
  const { json } = await client.post(ERASED, { id: 42, metadata })
  expect(json.data.customer).toMatchObject({
    id: expect.stringMatching(/^cus_/),
    ...anonymisedValues,
    metadata,
  })
  const again = await client.post(ERASED, { id: '42', metadata, ...anonymisedValues, phone: null })
  expect({ status: again.status, replayed: replayed(again) }).toEqual({ status: 200, replayed: 'true' })
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
  expect({ status, details }).toEqual({
    status: 422,
    details: [
      'name must be absent, null or "Anonymous customer" when erased is true.',
      'email must be absent, null or "anonymous@anonymous.invalid" when erased is true.',
      ...['description', 'created', 'phone'].map(
        (field) => `${field} must be absent or null when erased is true.`,
      ),
    ],
  })
  expect((await client.get(`${PATH}/42`)).status).toBe(404)
})

it.each([false, true])(
  'refuses erased=true with 409 for a customer who is not anonymised, and changes nothing, anonymised before: %s',
  async (wasAnonymised) => {
    const { id } = await client.create(PATH, { id: 42, ...person })
    if (wasAnonymised) await client.put(`${PATH}/42`)
    await client.put(`${PATH}/42`, { id: 42, name: 'Back' })
    const { status, details } = await client.post(ERASED, { id: 42 })
    expect({ status, details }).toEqual({
      status: 409,
      details: [`id must be unused: "42" is already the id of customer ${id}, which is not anonymised.`],
    })
    expect((await client.get(`${PATH}/42`)).json.data.customer.name).toBe('Back')
  },
)

it('replays erased=true for a customer whom a PUT has anonymised, unless metadata differs', async () => {
  await client.create(PATH, { id: 42, metadata, ...person })
  await client.put(`${PATH}/42`)
  expect(replayed(await client.post(ERASED, { id: 42, metadata }))).toBe('true')
  const { status, details } = await client.post(ERASED, { id: 42, metadata: {} })
  expect({ status, details }).toEqual({
    status: 409,
    details: [expect.stringMatching(/with other values of: metadata\.$/)],
  })
})

it('replays erased=true after an update of the customer, like every create', async () => {
  await client.create(ERASED, { id: 42, metadata })
  await client.put(`${PATH}/42`, { id: 42, name: 'Back', metadata: {} })
  const again = await client.post(ERASED, { id: 42, metadata })
  expect({ name: again.json.data.customer.name, replayed: replayed(again) }).toEqual({
    name: 'Back',
    replayed: 'true',
  })
})

it('refuses a later create of an id recorded with erased=true, as after an erasure', async () => {
  const { id } = await client.create(ERASED, { id: 42 })
  for (const body of [{ id: 42 }, { id: 42, ...person }, { id: 42, ...anonymisedValues }])
    expect((await client.post(PATH, body)).details).toEqual([
      `id must be unused: "42" is already the id of customer ${id}, which has been anonymised.`,
    ])
})

it.each<[string, string]>([
  ['erased=1', 'erased must be true or false (got "1").'],
  ['erased=true&erased=true', 'erased must be given once (got 2 values).'],
])('refuses ?%s', async (query, detail) => {
  const { status, details } = await client.post(`${PATH}?${query}`, { id: 42 })
  expect({ status, details }).toEqual({ status: 422, details: [detail] })
})

/** Creates a person with unique words in all fields. `words` collects them. */
const personWith = (words: string[]) => {
  const word = () => {
    words.push(randomUUID())
    return words.at(-1)!
  }
  return () => ({
    name: `Ann ${word()}`,
    email: `${word()}@example.org`,
    description: `Says ${word()}`,
    phone: `+49 ${word()}`,
  })
}

/** Returns the hashes of a value in usual encodings. */
const fingerprintsOf = (value: string): string[] =>
  ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
    (['hex', 'base64', 'base64url'] as const).map((form) => createHash(algorithm).update(value).digest(form)),
  )

/** Returns the words and hashes that a dump contains. */
const tracesIn = (dump: string, traces: readonly string[]): string[] => {
  const uuids = dump.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)
  const texts = dump.matchAll(/[\w+/=-]{20,}/g)
  const all = new Set([...uuids, ...texts].map(([text]) => text))
  return traces.filter((trace) => all.has(trace))
}

it('leaves no trace of an erased person in any item or index, after updates, retries and concurrent updates', async () => {
  const words: string[] = []
  const person = personWith(words)
  const values: string[] = []
  const known = <T extends object>(fields: T): T => {
    values.push(...Object.values(fields).map(String))
    return fields
  }
  const ids = await inParallel(range(runs(20, 1_000)), async (index) => {
    const body = { ...customerBody(known(person())), created: '1987-06-05', metadata: { kept: index } }
    const { id } = await client.create('/api/customers', body)
    const path = `/api/customers/${index % 2 ? id : body.id}`
    const update = () => client.put(path, { id: body.id, ...known(person()) })
    if (index % 3) await update()
    if (index % 5)
      await Promise.all([update(), client.put(path), client.post('/api/customers', body), update()])
    if (index % 7 === 0) await client.put(path)
    if (index % 2) await update()
    await client.create('/api/invoices', invoiceBody({ customer_id: id }))
    // The last update, and its retry.
    expect((await client.put(path)).json.data.customer).toMatchObject({
      id,
      ...anonymisedValues,
      metadata: { kept: index },
    })
    expect((await client.put(path)).status).toBe(200)
    expect((await client.post('/api/customers', body)).status).toBe(409)
    return id
  })
  const dump = await dumpTable()
  expect(dump).toContain(ids[0])
  expect(tracesIn(dump, [...words, ...values.flatMap(fingerprintsOf)])).toEqual([])
  // 1987-06-05, which nothing else in the test produces.
  expect(dump).not.toContain(String(Date.UTC(1987, 5, 5) / 1000))
  for (const { name, email } of (await readPage(client, '/api/customers', { limit: 100 })).items)
    expect({ name, email }).toEqual(anonymisedValues)
})
