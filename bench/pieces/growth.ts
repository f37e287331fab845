import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { send } from '../../shared/store/send.ts'
import { customerBody } from '../bodies.ts'
import { bulkLoad, customerItem } from '../bulk.ts'
import { compared, meanTime } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import type { Measurement } from '../rows.ts'
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

/** Writes an item without the service, to measure how much the embedded engine itself slows down. */
const bareCreate = (world: World) => {
  made += 1
  const Item = customerItem(world, `bare-${made}`)
  world.use()
  return send(new PutCommand({ TableName: world.table, Item }))
}

/** P11: time and units of a request with many entities in the table over those with a thousand. */
export const growth: Piece = {
  ids: ['P11'],
  run: async ({ progress, long }) => {
    const many = long ? 1_000_000 : 30_000
    const [small, large] = [await newWorld(), await newWorld()]
    await bulkLoad(small, 1_000, progress)
    await bulkLoad(large, many, progress)
    const timed = (row: Omit<Measurement, 'unit'>, work: (world: World) => Promise<unknown>) => {
      const [ours, baseline] = [large, small].map((world) => meanTime(() => work(world), REPEATS))
      return compared({ ...row, unit: 'ms' }, { ours: ours!, baseline: baseline! }, { rounds: 31, progress })
    }
    const rows: Measurement[] = []
    for (const [name, call] of Object.entries(requests)) {
      const what = `${name}, ${many.toLocaleString('en')} entities over 1,000`
      const common = { goal: { most: 1.2 }, stretch: { most: 1.05 } }
      rows.push(await timed({ ...common, what: `time: ${what}` }, (world) => world.observe(call())))
      const [ours, baseline] = [(await large.observe(call())).units, (await small.observe(call())).units]
      rows.push({ ...common, what: `units: ${what}`, unit: 'units', ours, baseline, stretch: { most: 1 } })
    }
    return [
      ...rows,
      await timed({ what: 'time: a bare put, which is the embedded engine alone' }, bareCreate),
    ]
  },
}
