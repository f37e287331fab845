import { bulkLoad } from '../bulk.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import { calls, customerBody } from '../workload.ts'
import { type Call, newWorld, type World } from '../world.ts'

let made = 0
const requests: Readonly<Record<string, () => Call>> = {
  retrieve: () => calls.retrieve,
  create: () => {
    made += 1
    return { endpoint: 'customers.create', body: customerBody(`grown-${made}`) }
  },
  'list of 100': () => calls.list,
}
const REPEATS = 5

const timeOf = (world: World, call: () => Call) => async () => {
  const start = performance.now()
  for (let number = 0; number < REPEATS; number += 1) await world.observe(call())
  return (performance.now() - start) / REPEATS
}

const unitsOf = async (world: World, call: Call): Promise<number> =>
  (await world.observe(call)).sent.reduce((sum, { units }) => sum + units, 0)

/** P11: what a request costs with many entities in the table over what it costs with a thousand. */
export const growth: Piece = {
  ids: ['P11'],
  run: async ({ progress, long }) => {
    const many = long ? 1_000_000 : 30_000
    const [small, large] = [await newWorld(), await newWorld()]
    await bulkLoad(small, 1_000, progress)
    await bulkLoad(large, many, progress)
    const rows = []
    for (const [name, call] of Object.entries(requests)) {
      const { few, lots } = await interleaved(
        { few: timeOf(small, call), lots: timeOf(large, call) },
        { rounds: 31, progress: (text) => progress(`${name}: ${text}`) },
      )
      const what = `${name}, ${many.toLocaleString('en')} entities over 1,000`
      const common = { id: 'P11', goal: { most: 1.2 }, stretch: { most: 1.05 } }
      rows.push({ ...common, what: `time: ${what}`, unit: 'ms', ours: lots, baseline: few })
      const [ours, baseline] = [await unitsOf(large, call()), await unitsOf(small, call())]
      rows.push({ ...common, what: `units: ${what}`, unit: 'units', ours, baseline, stretch: { most: 1 } })
    }
    return rows
  },
}
