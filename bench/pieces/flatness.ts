import { type BenchCall, createFixture, customerBody, type Fixture } from '../fixture.ts'
import { sampleMedians } from '../interleave.ts'
import type { Measurement, Piece } from '../rows.ts'
import { calls, recordCustomers } from '../workload.ts'

const LIMIT = 25
const PAGES = 1_000
const MANY = PAGES * LIMIT + 1
const FEW = 1_000
const ROUNDS = 31
const REPEATS = 5

interface Subject {
  readonly fixture: Fixture
  readonly call: () => BenchCall
}

/** The mean milliseconds of a request. */
const time =
  ({ fixture, call }: Subject) =>
  async (): Promise<number> => {
    const start = performance.now()
    for (let number = 0; number < REPEATS; number += 1) await fixture.send(call())
    return (performance.now() - start) / REPEATS
  }

const compareSubjects = async (label: string, ours: Subject, baseline: Subject): Promise<Measurement> => ({
  label,
  unit: 'ms',
  ...(await sampleMedians({ ours: time(ours), baseline: time(baseline) }, ROUNDS)),
})

const page = (cursor: string): BenchCall => ({
  endpoint: 'customers.list',
  query: { limit: String(LIMIT), cursor },
})

/** Compares page 1,000 of a list with its first page. */
const compareDepths = async (fixture: Fixture, shards: number): Promise<Measurement> => {
  let cursor = 'null'
  for (let number = 1; number < PAGES; number += 1)
    cursor = (await fixture.send(page(cursor))).pagination.next_cursor
  const subject = (cursorOfSubject: string): Subject => ({ fixture, call: () => page(cursorOfSubject) })
  return compareSubjects(
    `page 1,000 of ${LIMIT} over page 1, shards: ${shards}`,
    subject(cursor),
    subject('null'),
  )
}

let created = 0
const create = (): BenchCall => {
  created += 1
  return { endpoint: 'customers.create', body: customerBody(`new-${created}`) }
}

export const flatness: Piece = async () => {
  const few = await createFixture()
  const many = await createFixture()
  const sharded = await createFixture(8)
  await recordCustomers(few, FEW)
  for (const fixture of [many, sharded]) await recordCustomers(fixture, MANY)
  const compareSizes = (label: string, call: () => BenchCall) =>
    compareSubjects(`${label}, ${MANY} entities over ${FEW}`, { fixture: many, call }, { fixture: few, call })
  return [
    await compareDepths(many, 1),
    await compareDepths(sharded, 8),
    await compareSizes('retrieve', () => calls.retrieve),
    await compareSizes('create', create),
    await compareSizes('list of 100', () => calls.list),
  ]
}
