import { type Call, createFixture, customerBody, type Fixture } from '../fixture.ts'
import { sampleMedians } from '../interleave.ts'
import type { Piece, Row } from '../rows.ts'
import { calls, recordCustomers } from '../workload.ts'

const LIMIT = 25
const PAGES = 1_000
const MANY = PAGES * LIMIT + 1
const FEW = 1_000
const ROUNDS = 31
const REPEATS = 5

interface Side {
  readonly fixture: Fixture
  readonly call: () => Call
}

/** The mean milliseconds of a request. */
const time =
  ({ fixture, call }: Side) =>
  async (): Promise<number> => {
    const start = performance.now()
    for (let number = 0; number < REPEATS; number += 1) await fixture.send(call())
    return (performance.now() - start) / REPEATS
  }

const compareSides = async (label: string, ours: Side, baseline: Side): Promise<Row> => ({
  label,
  unit: 'ms',
  ...(await sampleMedians({ ours: time(ours), baseline: time(baseline) }, ROUNDS)),
})

const page = (cursor: string): Call => ({
  endpoint: 'customers.list',
  query: { limit: String(LIMIT), cursor },
})

/** Compares page 1,000 of a list with its first page. */
const compareDepths = async (fixture: Fixture, shards: number): Promise<Row> => {
  let cursor = 'null'
  for (let number = 1; number < PAGES; number += 1)
    cursor = (await fixture.send(page(cursor))).pagination.next_cursor
  const side = (sideCursor: string): Side => ({ fixture, call: () => page(sideCursor) })
  return compareSides(`page 1,000 of ${LIMIT} over page 1, shards: ${shards}`, side(cursor), side('null'))
}

let created = 0
const create = (): Call => {
  created += 1
  return { endpoint: 'customers.create', body: customerBody(`new-${created}`) }
}

export const flatness: Piece = async () => {
  const few = await createFixture()
  const many = await createFixture()
  const sharded = await createFixture(8)
  await recordCustomers(few, FEW)
  for (const fixture of [many, sharded]) await recordCustomers(fixture, MANY)
  const compareSizes = (label: string, call: () => Call) =>
    compareSides(`${label}, ${MANY} entities over ${FEW}`, { fixture: many, call }, { fixture: few, call })
  return [
    await compareDepths(many, 1),
    await compareDepths(sharded, 8),
    await compareSizes('retrieve', () => calls.retrieve),
    await compareSizes('create', create),
    await compareSizes('list of 100', () => calls.list),
  ]
}
