import { setClock } from '../../shared/clock.ts'
import { customerBody } from '../support/bodies.ts'
import { delayedIndexes } from '../support/delayed-indexes.ts'
import { pass, serveWithFaults } from '../support/fault-proxy.ts'
import { forward, upTo } from '../support/lists.ts'
import { newClient } from '../support/service.ts'

const proxy = serveWithFaults()
afterAll(() => setClock())

it('many changed entities in a row end a page early, but never leave it empty', async () => {
  let second = 1_800_000_000
  setClock(() => second * 1_000)
  const client = await newClient()
  const indexes = delayedIndexes({ now: () => second, delay: () => 0, most: 1 })
  proxy.inject(client.credentials.app_id, {
    label: '*',
    calls: Number.POSITIVE_INFINITY,
    fault: async (call) => {
      if (indexes.isQuery(call)) return indexes.query(call)
      if (!indexes.isWrite(call)) return pass(call)
      const { status, headers, body } = await indexes.land(call)
      call.response.writeHead(status, headers).end(body)
    },
  })
  const ids = upTo(40).map((number) => `c${number}`)
  for (const id of ids) await client.create('/api/customers', customerBody({ id }))
  second += 1
  for (const id of ids) await client.put(`/api/customers/${id}`)
  second += 1
  const pages = await forward(client, '/api/customers', {
    changed_since: 0,
    include: 'external_id',
    limit: 100,
  })
  for (const { items } of pages) expect(items.length).toBeGreaterThan(0)
  const all = pages.flatMap(({ items }) => items)
  expect(all.map(({ changed }) => changed)).toEqual(all.map(({ changed }) => changed).sort())
  const last = all.filter(({ changed }) => changed === second - 1)
  expect(last.map(({ external_id }) => external_id)).toEqual(ids)
  expect(pages.length).toBeGreaterThan(2)
  indexes.stop()
})
