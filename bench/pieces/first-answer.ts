import { freshProcess } from '../children.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import { pairOf, recordCustomers } from '../workload.ts'
import { newWorld } from '../world.ts'

const timed = (file: string, request: string) => `const start = performance.now()
const loaded = require(${JSON.stringify(file)})
${request}.then(() => console.log(performance.now() - start))`

/** P4: from load to first answer of a cold process; ours looks up the API key before the customer. */
export const firstAnswer: Piece = {
  ids: ['P4'],
  run: async ({ progress, long }) => {
    const world = await newWorld()
    await recordCustomers(world, 1)
    const { ours, bare } = await pairOf(world, 'retrieve')
    if (ours.side !== 'ours' || bare.side !== 'bare') throw new Error('The sides are mixed up')
    const event = JSON.stringify(ours.event)
    const our = timed(ours.file, `loaded.handler(${event}, { getRemainingTimeInMillis: () => 6000 })`)
    const base = timed(
      bare.file,
      `loaded.send(${JSON.stringify(bare.command)}, ${JSON.stringify(bare.input)})`,
    )
    const medians = await interleaved(
      { ours: () => freshProcess(our, world.env), bare: () => freshProcess(base, world.env) },
      { rounds: long ? 61 : 31, progress },
    )
    return [
      {
        id: 'P4',
        what: 'load to first answer, cold process',
        unit: 'ms',
        ours: medians.ours,
        baseline: medians.bare,
        goal: { most: 1.15 },
        stretch: { most: 1 },
      },
    ]
  },
}
