import { bundles } from '../bundles.ts'
import { freshProcess } from '../cold.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'

/** Returns a function that loads a file in a fresh process and returns the milliseconds that it took. */
const sample = (file: string) => (): Promise<number> => {
  const script = `const start = performance.now()
require(${JSON.stringify(file)})
console.log(performance.now() - start)`
  return freshProcess(script, { PATH: process.env.PATH })
}

/** P2: module load of each bundle in a fresh process. */
export const load: Piece = {
  ids: ['P2'],
  run: async ({ progress }) => {
    const { functions, baseline, fileOf } = await bundles()
    const ids = functions.map(({ deployable }) => deployable.id)
    // The baseline follows every third bundle, so that its samples are spread over the whole run.
    const samples = ids.flatMap((id, index) => [
      ...(index % 3 === 0 ? [[`baseline ${index}`, sample(baseline)] as const] : []),
      [id, sample(fileOf(id))] as const,
    ])
    const medians = await interleaved(Object.fromEntries(samples), { rounds: 15, progress })
    const bare = Object.keys(medians).filter((name) => name.startsWith('baseline'))
    const base = bare.reduce((sum, name) => sum + medians[name]!, 0) / bare.length
    const sorted = ids.toSorted((a, b) => medians[b]! - medians[a]!)
    const common = { unit: 'ms', baseline: base, goal: { most: 1.1 }, stretch: { most: 0.9 } }
    const row = (place: string, id: string) => {
      const what = `module load, ${place} of ${ids.length} (${id})`
      return { ...common, what, ours: medians[id]! }
    }
    return [row('slowest', sorted[0]!), row('middle', sorted[ids.length >> 1]!)]
  },
}
