import { createHash, randomUUID } from 'node:crypto'
import { anonymous, customerBody, invoiceBody } from '../support/bodies.ts'
import { dumpTable } from '../support/dump-table.ts'
import { inParallel, pageAt, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

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
  const client = await newClient()
  const words: string[] = []
  const person = personWith(words)
  const values: string[] = []
  const known = <T extends object>(fields: T): T => {
    values.push(...Object.values(fields).map(String))
    return fields
  }
  const ids = await inParallel(upTo(runs(20, 1_000)), async (index) => {
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
      ...anonymous,
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
  for (const { name, email } of (await pageAt(client, '/api/customers', { limit: 100 })).items)
    expect({ name, email }).toEqual(anonymous)
})
