import { setClock } from '../../shared/clock.ts'
import { createApplication } from '../../tools/applications/applications.ts'
import { newIdentity } from '../../tools/applications/items.ts'
import { customerBody } from '../support/bodies.ts'
import { pass, serveWithFaults, type WireFault } from '../support/fault-proxy.ts'
import { type Entry, filesOf, importAs, ndjson } from '../support/importing.ts'
import { forward, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { clientOf } from '../support/service.ts'
import { grow } from '../support/shards.ts'
import { wireFault } from '../support/wire-faults.ts'

const throttled = wireFault('throttled with reasons')
/** The writes that each partition of the lists has taken, and those that it has refused. */
const taken = new Map<string, number>()
const refused = new Map<string, number>()
const count = (writes: Map<string, number>, partition: string) =>
  writes.set(partition, (writes.get(partition) ?? 0) + 1)

/** Counts of writes decide what a partition refuses, so that no other work of the machine changes the result. */
const BURST = 10
const REFUSALS = 5
const limit: WireFault = (call) => {
  const partition = JSON.parse(call.body.toString()).Item?.list?.S
  if (partition === undefined) return pass(call)
  const bursts = 1 + Math.floor((refused.get(partition) ?? 0) / REFUSALS)
  const isExhausted = (taken.get(partition) ?? 0) >= bursts * BURST
  count(isExhausted ? refused : taken, partition)
  return isExhausted ? throttled(call) : pass(call)
}

const proxy = serveWithFaults()
beforeAll(() => proxy.inject('*', { label: '*', fault: limit, calls: Number.POSITIVE_INFINITY }))
afterAll(() => setClock())

const ROWS = runs(200, 4_000)

/** Imports customers. Returns the writes that the busiest partition has taken, which decide how long it must last. */
const busiestOf = async (shards: number): Promise<number> => {
  // The ids decide which row goes to which shard, so that each run has the same figures.
  const identity = { ...newIdentity(), app_id: `app_${shards}shards` }
  const client = clientOf(await createApplication('Fixed', { identity }))
  await grow(client, shards)
  taken.clear()
  refused.clear()
  const rows = upTo(ROWS).map((number): Entry => ['customer', customerBody({ id: `c${number}` })])
  const { paths } = filesOf({ 'rows.ndjson': ndjson(rows) })
  const { counts } = await importAs(client, paths)
  expect(counts).toMatchObject({ rows: ROWS, conflict: 0, invalid: 0, failed: 0 })
  expect([taken.size, refused.size]).toEqual([shards, shards])
  const pages = await forward(client, '/api/customers', { limit: 100 })
  expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(ROWS)
  return Math.max(...taken.values())
}

it('with eight shards, an import that is limited by partitions loses nothing and takes a sixth of the time', async () => {
  expect((await busiestOf(1)) / (await busiestOf(8))).toBeGreaterThanOrEqual(6)
})
