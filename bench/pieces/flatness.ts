import { interleaved } from '../interleave.ts'
import type { Piece, Row } from '../rows.ts'
import { calls, recordCustomers } from '../workload.ts'
import { type Call, customerBody, newWorld, type World } from '../world.ts'

const LIMIT = 25
const PAGES = 1_000
const MANY = PAGES * LIMIT + 1
const FEW = 1_000
const ROUNDS = 31
const REPEATS = 5

/** One side of a comparison: a world, and a function that makes a request to it. */
interface Side {
  readonly world: World
  readonly call: () => Call
}

/** Returns a function that sends a request several times and returns the mean time of one in milliseconds. */
const time =
  ({ world, call }: Side) =>
  async (): Promise<number> => {
    const start = performance.now()
    for (let number = 0; number < REPEATS; number += 1) await world.send(call())
    return (performance.now() - start) / REPEATS
  }

const compared = async (what: string, ours: Side, baseline: Side): Promise<Row> => ({
  what,
  unit: 'ms',
  ...(await interleaved({ ours: time(ours), baseline: time(baseline) }, ROUNDS)),
})

const page = (cursor: string): Call => ({
  endpoint: 'customers.list',
  query: { limit: String(LIMIT), cursor },
})

/** Compares page 1,000 of a list with page 1. */
const depth = async (world: World, shards: number): Promise<Row> => {
  let cursor = 'null'
  for (let number = 1; number < PAGES; number += 1)
    cursor = (await world.send(page(cursor))).pagination.next_cursor
  const side = (at: string): Side => ({ world, call: () => page(at) })
  return compared(`page 1,000 of ${LIMIT} over page 1, shards: ${shards}`, side(cursor), side('null'))
}

let made = 0
const create = (): Call => {
  made += 1
  return { endpoint: 'customers.create', body: customerBody(`new-${made}`) }
}

/** Compares pages of a list in one shard and in eight, and numbers of entities. */
export const flatness: Piece = async () => {
  const few = await newWorld()
  const many = await newWorld()
  const sharded = await newWorld(8)
  await recordCustomers(few, FEW)
  for (const world of [many, sharded]) await recordCustomers(world, MANY)
  const grown = (what: string, call: () => Call) =>
    compared(`${what}, ${MANY} entities over ${FEW}`, { world: many, call }, { world: few, call })
  return [
    await depth(many, 1),
    await depth(sharded, 8),
    await grown('retrieve', () => calls.retrieve),
    await grown('create', create),
    await grown('list of 100', () => calls.list),
  ]
}
