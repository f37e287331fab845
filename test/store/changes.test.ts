import { setClock } from '../../shared/clock.ts'
import { aroundCalls } from '../support/around-calls.ts'
import { customerBody } from '../support/bodies.ts'
import { forward, upTo } from '../support/lists.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()
afterAll(() => setClock())

it('many changed entities in a row end a page of changes early, but never leave it empty', async () => {
  let second = 1_800_000_000
  setClock(() => second * 1_000)
  const client = await newClient()
  const ids = upTo(24).map((number) => `c${number}`)
  for (const id of ids) await client.create('/api/customers', customerBody({ id }))
  second += 1
  for (const id of ids) await client.put(`/api/customers/${id}`)
  second += 1
  // As if one entry were as large as a response may be.
  aroundCalls(({ command, input }, proceed) =>
    proceed(command === 'QueryCommand' ? { ...input, Limit: 1 } : input),
  )
  const query = { changed_since: 0, include: 'external_id', limit: 100 }
  const pages = await forward(client, '/api/customers', query)
  for (const { items } of pages) expect(items.length).toBeGreaterThan(0)
  const all = pages.flatMap(({ items }) => items)
  expect(all.map(({ changed }) => changed)).toEqual(all.map(({ changed }) => changed).sort())
  const last = all.filter(({ changed }) => changed === second - 1)
  expect(last.map(({ external_id }) => external_id)).toEqual(ids)
  expect(pages.length).toBeGreaterThan(2)
})
