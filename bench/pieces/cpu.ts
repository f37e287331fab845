import { startChild } from '../child.ts'
import { createFixture } from '../fixture.ts'
import { sampleMedians } from '../interleave.ts'
import type { Measurement, Piece } from '../rows.ts'
import type { Job } from '../worker.ts'
import { type CallName, pairOf, recordCustomers } from '../workload.ts'

const ROUNDS = 15
/** The number of rounds after which V8 has compiled the hot code. */
const WARM_UP = 8

const measure = async (name: CallName, label: string, times: number): Promise<Measurement> => {
  const fixture = await createFixture()
  await recordCustomers(fixture)
  const pair = await pairOf(fixture, name)
  const children = [
    startChild<Job>('worker.ts', fixture.env),
    startChild<Job>('worker.ts', fixture.env),
  ] as const
  const ours = (rounds = 1) => children[0].ask<number>({ work: pair.ours, times: times * rounds })
  const baseline = (rounds = 1) => children[1].ask<number>({ work: pair.bare, times: times * rounds })
  try {
    await ours(WARM_UP)
    await baseline(WARM_UP)
    return {
      label: `warm processor time: ${label}`,
      unit: 'µs',
      ...(await sampleMedians({ ours, baseline }, ROUNDS)),
    }
  } finally {
    for (const child of children) child.end()
  }
}

/** Measures the processor time of a warm request and of the bare SDK call, in separate processes. */
export const cpu: Piece = async () => [
  await measure('retrieve', 'retrieve', 400),
  await measure('create', 'create', 400),
  await measure('list', 'list of 100', 60),
]
