import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { send } from '../../shared/store/send.ts'
import { customerBody } from '../bodies.ts'
import { bulkLoad, customerItem } from '../bulk.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import { calls } from '../workload.ts'
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

const timeOf = (work: () => Promise<unknown>) => async () => {
  const start = performance.now()
  for (let number = 0; number < REPEATS; number += 1) await work()
  return (performance.now() - start) / REPEATS
}

/** Returns a put without our code, which shows how much slower the embedded engine itself gets. */
const bareCreate = (world: World) => {
  made += 1
  const Item = customerItem(world, `bare-${made}`)
  world.use()
  return send(new PutCommand({ TableName: world.table, Item }))
}

const unitsOf = async (world: World, call: Call): Promise<number> =>
  (await world.observe(call)).sent.reduce((sum, { units }) => sum + units, 0)

/** P11: time and units of a request with many entities in the table over those with a thousand. */
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
        { few: timeOf(() => small.observe(call())), lots: timeOf(() => large.observe(call())) },
        { rounds: 31, progress: (text) => progress(`${name}: ${text}`) },
      )
      const what = `${name}, ${many.toLocaleString('en')} entities over 1,000`
      const common = { id: 'P11', goal: { most: 1.2 }, stretch: { most: 1.05 } }
      rows.push({ ...common, what: `time: ${what}`, unit: 'ms', ours: lots, baseline: few })
      const [ours, baseline] = [await unitsOf(large, call()), await unitsOf(small, call())]
      rows.push({ ...common, what: `units: ${what}`, unit: 'units', ours, baseline, stretch: { most: 1 } })
    }
    const { few, lots } = await interleaved(
      { few: timeOf(() => bareCreate(small)), lots: timeOf(() => bareCreate(large)) },
      { rounds: 31, progress: (text) => progress(`the engine alone: ${text}`) },
    )
    const what = 'time: a bare put, which is the embedded engine alone'
    return [...rows, { id: 'P11', what, unit: 'ms', ours: lots, baseline: few }]
  },
}
