import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import { startWorker } from '../worker-process.ts'
import { type Name, pairOf, recordCustomers } from '../workload.ts'
import { newWorld } from '../world.ts'

const limits: Readonly<Record<Name, { what: string; times: number; goal: number }>> = {
  retrieve: { what: 'warm processor time: retrieve', times: 400, goal: 1.25 },
  create: { what: 'warm processor time: create', times: 400, goal: 1.25 },
  list: { what: 'warm processor time: list of 100', times: 60, goal: 1.3 },
}

/** The rounds after which V8 has compiled the hot code. */
const WARM_UP = 8

/** P5: processor time of a warm request over that of the bare SDK call, in separate processes, taken in turn. */
export const cpu: Piece = {
  ids: ['P5'],
  run: async ({ progress, long }) => {
    const measure = async (name: Name) => {
      const { what, times, goal } = limits[name]
      const world = await newWorld()
      await recordCustomers(world)
      const pair = await pairOf(world, name)
      const [our, bare] = [startWorker(world.env), startWorker(world.env)]
      try {
        progress(`${name}: warming up`)
        for (const [child, work] of [
          [our, pair.ours],
          [bare, pair.bare],
        ] as const)
          await child.cpuOf({ work, times: times * WARM_UP })
        const medians = await interleaved(
          {
            ours: () => our.cpuOf({ work: pair.ours, times }),
            bare: () => bare.cpuOf({ work: pair.bare, times }),
          },
          { rounds: long ? 45 : 15, progress: (text) => progress(`${name}: ${text}`) },
        )
        return {
          id: 'P5',
          what,
          unit: 'µs',
          ours: medians.ours,
          baseline: medians.bare,
          goal: { most: goal },
          stretch: { most: 1.1 },
        }
      } finally {
        our.end()
        bare.end()
      }
    }
    return [await measure('retrieve'), await measure('create'), await measure('list')]
  },
}
