import { bundles } from '../bundles.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import { freshProcess } from '../worker-process.ts'

const script = (file: string) => `const start = performance.now()
require(${JSON.stringify(file)})
console.log(performance.now() - start)`

/** P2: module load of each bundle in a fresh process. */
export const load: Piece = {
  ids: ['P2'],
  run: async ({ progress }) => {
    const { functions, baseline, fileOf } = await bundles()
    const sample = (file: string) => () => freshProcess(script(file), { PATH: process.env.PATH })
    const ids = functions.map(({ deployable }) => deployable.id)
    // The baseline follows every third bundle, so that its samples are spread over the whole run.
    const samples = Object.fromEntries(
      ids.flatMap((id, index) => [
        ...(index % 3 === 0 ? [[`baseline ${index}`, sample(baseline)] as const] : []),
        [id, sample(fileOf(id))] as const,
      ]),
    )
    const medians = await interleaved(samples, { rounds: 15, progress })
    const bare = Object.entries(medians).flatMap(([name, value]) =>
      name.startsWith('baseline') ? [value] : [],
    )
    const base = bare.reduce((sum, value) => sum + value, 0) / bare.length
    const slowest = ids.toSorted((a, b) => medians[b]! - medians[a]!)[0]!
    const middle = ids.toSorted((a, b) => medians[b]! - medians[a]!)[ids.length >> 1]!
    const common = { id: 'P2', unit: 'ms', baseline: base, goal: { most: 1.1 }, stretch: { most: 0.9 } }
    return [
      {
        ...common,
        what: `module load, slowest of ${functions.length} (${slowest})`,
        ours: medians[slowest]!,
      },
      { ...common, what: `module load, middle of ${functions.length} (${middle})`, ours: medians[middle]! },
    ]
  },
}
