import { startChild } from '../child.ts'
import { compared } from '../interleave.ts'
import type { Piece, Setting } from '../piece.ts'
import type { Order } from '../worker.ts'
import { type Name, pairOf, recordCustomers } from '../workload.ts'
import { newWorld } from '../world.ts'

const limits: Readonly<Record<Name, { what: string; times: number; goal: number }>> = {
  retrieve: { what: 'warm processor time: retrieve', times: 400, goal: 1.25 },
  create: { what: 'warm processor time: create', times: 400, goal: 1.25 },
  list: { what: 'warm processor time: list of 100', times: 60, goal: 1.3 },
}

/** The rounds after which V8 has compiled the hot code. */
const WARM_UP = 8

const measure = async (name: Name, { progress, long }: Setting) => {
  const { what, times, goal } = limits[name]
  const world = await newWorld()
  await recordCustomers(world)
  const works = await pairOf(world, name)
  const [our, bare] = [0, 1].map(() => startChild<Order>('worker.ts', world.env))
  const ours = (rounds = 1) => our!.ask<number>({ work: works.ours, times: times * rounds })
  const baseline = (rounds = 1) => bare!.ask<number>({ work: works.bare, times: times * rounds })
  try {
    progress(`${name}: warming up`)
    await ours(WARM_UP)
    await baseline(WARM_UP)
    const row = { what, unit: 'µs', goal: { most: goal }, stretch: { most: 1.1 } }
    return await compared(row, { ours, baseline }, { rounds: long ? 45 : 15, progress })
  } finally {
    our!.end()
    bare!.end()
  }
}

/** P5: processor time of a warm request over that of the bare SDK call, in separate processes, taken in turn. */
export const cpu: Piece = {
  ids: ['P5'],
  run: async (setting) => [
    await measure('retrieve', setting),
    await measure('create', setting),
    await measure('list', setting),
  ],
}
