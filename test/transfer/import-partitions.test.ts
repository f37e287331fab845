import { setClock } from '../../shared/clock.ts'
import { createApplication } from '../../tools/applications/applications.ts'
import { newIdentity } from '../../tools/applications/items.ts'
import { customerBody } from '../support/bodies.ts'
import { type Entry, filesOf, importAs, ndjson } from '../support/importing.ts'
import { forward, upTo } from '../support/lists.ts'
import { type LimitedEngine, limitPartitions } from '../support/partition-limits.ts'
import { runs } from '../support/runs.ts'
import { clientOf, serveForTests } from '../support/service.ts'
import { grow } from '../support/shards.ts'

let engine: LimitedEngine
serveForTests(async (endpoint) => {
  engine = await limitPartitions(endpoint, 80)
  return engine
})
afterAll(() => setClock())

const ROWS = runs(200, 4_000)

/** Imports customers. Returns the writes that the busiest partition has taken, which decide how long it must last. */
const busiestOf = async (shards: number): Promise<number> => {
  // The ids decide which row goes to which shard, so that each run has the same figures.
  const identity = { ...newIdentity(), app_id: `app_${shards}shards` }
  const client = clientOf(await createApplication('Fixed', { identity }))
  await grow(client, shards)
  engine.taken.clear()
  const rows = upTo(ROWS).map((number): Entry => ['customer', customerBody({ id: `c${number}` })])
  const { paths } = filesOf({ 'rows.ndjson': ndjson(rows) })
  const { counts } = await importAs(client, paths)
  expect(counts).toMatchObject({ rows: ROWS, conflict: 0, invalid: 0, failed: 0 })
  const pages = await forward(client, '/api/customers', { limit: 100 })
  expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(ROWS)
  return Math.max(...engine.taken.values())
}

it('with eight shards, an import that is limited by partitions loses nothing and takes a sixth of the time', async () => {
  const one = await busiestOf(1)
  expect(engine.refused()).toBeGreaterThan(0)
  expect(one / (await busiestOf(8))).toBeGreaterThanOrEqual(6)
})
