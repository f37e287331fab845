import { buildBundles } from '../bundles.ts'
import { freshProcess } from '../cold.ts'
import { sampleMedians } from '../interleave.ts'
import type { Piece } from '../rows.ts'

const ROUNDS = 15

const sample = (file: string) => (): Promise<number> => {
  const script = `const start = performance.now()
require(${JSON.stringify(file)})
console.log(performance.now() - start)`
  return freshProcess(script, { PATH: process.env.PATH })
}

export const load: Piece = async () => {
  const { functions, baseline, fileOf } = await buildBundles()
  const ids = functions.map(({ deployable }) => deployable.id)
  const files = [['baseline', baseline] as const, ...ids.map((id) => [id, fileOf(id)] as const)]
  const samples = Object.fromEntries(files.map(([name, file]) => [name, sample(file)] as const))
  const medians = await sampleMedians(samples, ROUNDS)
  const sorted = ids.toSorted((a, b) => medians[b]! - medians[a]!)
  const row = (rank: string, id: string) => ({
    label: `module load, ${rank} of ${ids.length} (${id})`,
    unit: 'ms',
    ours: medians[id]!,
    baseline: medians.baseline!,
  })
  return [row('slowest', sorted[0]!), row('middle', sorted[Math.floor(ids.length / 2)]!)]
}
