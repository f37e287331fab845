import { createHash, randomUUID } from 'node:crypto'
import { dumpTable, storedItems } from '../support/database/dump-table.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import { anonymisedValues, customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { expectReplay } from '../support/requests/create-responses.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { type Client, clientForEachTest, newClient, serveForTests } from '../support/requests/service.ts'
import { runs } from '../support/runs.ts'

serveForTests()

const PATH = '/api/customers'
const ERASED = '/api/customers?erased=true'
const metadata = { plan: 'pro', seats: 3 }
const person = { name: 'Ann Example', email: 'ann@example.org', phone: '1', description: 'x' }

const client = clientForEachTest()

const storedCustomer = async ({ credentials }: Client = client) => {
  const items = await storedItems(credentials.app_id)
  return items.find(({ sk }) => sk?.S === 'ENTITY')!
}

it('records an anonymised customer with erased=true, and replays its repetition', async () => {
  const { json } = await client.post(ERASED, { id: 42, metadata })
  expect(json.data.customer).toMatchObject({
    id: expect.stringMatching(/^cus_/),
    ...anonymisedValues,
    metadata,
  })
  const repeated = await client.post(ERASED, { id: '42', metadata, ...anonymisedValues, phone: null })
  expectReplay(repeated)
  expect(repeated.json).toEqual((await client.get(`${PATH}/42`)).json)
})

it('stores the same item with erased=true as after an erasure', async () => {
  await client.create(ERASED, { id: 42, metadata })
  const { order, stamp, erased, list, pk, ...recordedAsErased } = await storedCustomer()
  expect(erased).toEqual(order)
  const other = await newClient()
  await other.create(PATH, { id: 42, metadata, ...person })
  await other.put(`${PATH}/42`)
  const erasedLater = await storedCustomer(other)
  expect(erasedLater).toMatchObject({ ...recordedAsErased, erased: erasedLater.stamp })
})

it('refuses personal data with erased=true without quoting it, and records nothing', async () => {
  expect(await client.post(ERASED, { id: 42, ...person, created: '2026-01-01' })).toMatchObject({
    status: 422,
    details: [
      'name must be absent, null or "Anonymous customer" when erased is true.',
      'email must be absent, null or "anonymous@anonymous.invalid" when erased is true.',
      'description must be absent or null when erased is true.',
      'created must be absent or null when erased is true.',
      'phone must be absent or null when erased is true.',
    ],
  })
  expect((await client.get(`${PATH}/42`)).status).toBe(404)
})

it.each([
  { who: 'was never anonymised', wasAnonymised: false },
  { who: 'has a name again since an anonymisation', wasAnonymised: true },
])('refuses erased=true with 409 for a customer who $who, and changes nothing', async ({ wasAnonymised }) => {
  const { id } = await client.create(PATH, { id: 42, ...person })
  if (wasAnonymised) await client.put(`${PATH}/42`)
  await client.put(`${PATH}/42`, { id: 42, name: 'Back' })
  expect(await client.post(ERASED, { id: 42 })).toMatchObject({
    status: 409,
    details: [`id must be unused: "42" is already the id of customer ${id}, which is not anonymised.`],
  })
  expect((await client.get(`${PATH}/42`)).json.data.customer.name).toBe('Back')
})

it('replays erased=true for a customer whom a PUT has anonymised, unless metadata differs', async () => {
  await client.create(PATH, { id: 42, metadata, ...person })
  await client.put(`${PATH}/42`)
  expectReplay(await client.post(ERASED, { id: 42, metadata }))
  expect(await client.post(ERASED, { id: 42, metadata: {} })).toMatchObject({
    status: 409,
    details: [expect.stringMatching(/with other values of: metadata\.$/)],
  })
})

it('replays erased=true after an update of the customer, like every create', async () => {
  await client.create(ERASED, { id: 42, metadata })
  await client.put(`${PATH}/42`, { id: 42, name: 'Back', metadata: {} })
  const repeated = await client.post(ERASED, { id: 42, metadata })
  expectReplay(repeated)
  expect(repeated.json.data.customer.name).toBe('Back')
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
  expect(await client.post(`${PATH}?${query}`, { id: 42 })).toMatchObject({ status: 422, details: [detail] })
})

/** Each value has a word that nothing else contains; `words` collects them. */
const personWith = (words: string[]) => {
  const uniqueWord = () => {
    const word = randomUUID()
    words.push(word)
    return word
  }
  return {
    name: `Ann ${uniqueWord()}`,
    email: `${uniqueWord()}@example.org`,
    description: `Says ${uniqueWord()}`,
    phone: `+49 ${uniqueWord()}`,
  }
}

/** In usual encodings. */
const hashesOf = (value: string): string[] =>
  ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
    (['hex', 'base64', 'base64url'] as const).map((encoding) =>
      createHash(algorithm).update(value).digest(encoding),
    ),
  )

const tracesIn = (dump: string, traces: readonly string[]): string[] => {
  const uuids = dump.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)
  const longTexts = dump.matchAll(/[\w+/=-]{20,}/g)
  const dumped = new Set([...uuids, ...longTexts].map(([text]) => text))
  return traces.filter((trace) => dumped.has(trace))
}

it('leaves no trace of an erased person in any item or index, after updates, retries and concurrent updates', async () => {
  const words: string[] = []
  const values: string[] = []
  const newPerson = () => {
    const fields = personWith(words)
    values.push(...Object.values(fields))
    return fields
  }
  const ids = await inParallel(range(runs(20, 1_000)), async (index) => {
    const metadata = { kept: index }
    const create = { ...customerBody(newPerson()), created: '1987-06-05', metadata }
    const { id } = await client.create('/api/customers', create)
    const path = `/api/customers/${index % 2 ? id : create.id}`
    const update = () => client.put(path, { id: create.id, ...newPerson() })
    const erase = () => client.put(path)
    if (index % 3) await update()
    if (index % 5) await Promise.all([update(), erase(), client.post('/api/customers', create), update()])
    if (index % 7 === 0) await erase()
    if (index % 2) await update()
    await client.create('/api/invoices', invoiceBody({ customer_id: id }))
    const lastErasure = await erase()
    expect(lastErasure.json.data.customer).toMatchObject({ id, ...anonymisedValues, metadata })
    const retry = await erase()
    expect(retry.status).toBe(200)
    expect((await client.post('/api/customers', create)).status).toBe(409)
    return id
  })
  const dump = await dumpTable()
  expect(dump).toContain(ids[0])
  expect(tracesIn(dump, [...words, ...values.flatMap(hashesOf)])).toEqual([])
  // 1987-06-05, which nothing else in the test produces.
  expect(dump).not.toContain(String(Date.UTC(1987, 5, 5) / 1000))
  for (const { name, email } of (await readPage(client, '/api/customers', { limit: 100 })).items)
    expect({ name, email }).toEqual(anonymisedValues)
})
