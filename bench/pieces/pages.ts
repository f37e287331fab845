import { DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { bulkLoad } from '../bulk.ts'
import { interleaved } from '../interleave.ts'
import type { Piece, Setting } from '../piece.ts'
import type { Measurement } from '../rows.ts'
import { type Call, newWorld, type World } from '../world.ts'

const PAGES = 1_000

/** Returns a function that measures the mean time of ten consecutive calls, in milliseconds. */
const timeOf = (call: () => Promise<unknown>) => async (): Promise<number> => {
  const start = performance.now()
  for (let number = 0; number < 10; number += 1) await call()
  return (performance.now() - start) / 10
}

/** Returns a function that repeats a page's query with the bare client and ignores the answer. */
const bareQuery = async (world: World, call: Call): Promise<() => Promise<unknown>> => {
  const [query] = (await world.observe(call)).sent
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint: world.endpoint, region: 'local', credentials })
  return () => client.send(new QueryCommand(query!.input as unknown as QueryCommandInput))
}

const unitsOf = async (world: World, call: Call): Promise<number> =>
  (await world.observe(call)).sent.reduce((sum, { units }) => sum + units, 0)

/** Records a thousand pages of customers. Returns the requests for the first and the thousandth page. */
const thousandPages = async (world: World, limit: number, { progress }: Setting) => {
  await bulkLoad(world, (PAGES + 1) * limit, progress)
  const page = (cursor: string): Call => ({
    endpoint: 'customers.list',
    query: { limit: `${limit}`, cursor },
  })
  let cursor = 'null'
  for (let number = 1; number < PAGES; number += 1) {
    if (number % 250 === 0) progress(`page ${number}`)
    cursor = (await world.observe(page(cursor))).body.pagination.next_cursor
  }
  return { first: page('null'), last: page(cursor) }
}

/** Returns the rows that compare page 1,000 with page 1 in a list of this many shards, and what they were measured with. */
export const depthRows = async (
  { id, shards, goal }: Pick<Measurement, 'id' | 'goal'> & { readonly shards: number },
  setting: Setting,
) => {
  const limit = setting.long ? 100 : 25
  const world = await newWorld(shards)
  const calls = await thousandPages(world, limit, setting)
  const runs = {
    rounds: 101,
    progress: (text: string) => setting.progress(`page 1,000 and page 1: ${text}`),
  }
  const { first, last } = await interleaved(
    { first: timeOf(() => world.observe(calls.first)), last: timeOf(() => world.observe(calls.last)) },
    runs,
  )
  const what = `page 1,000 of ${limit} over page 1${shards === 1 ? '' : `, ${shards} shards`}`
  const common = { id, ...(goal ? { goal } : {}) }
  const rows: Measurement[] = [
    {
      ...{ ...common, what: `units: ${what}`, unit: 'units' },
      ...{ ours: await unitsOf(world, calls.last), baseline: await unitsOf(world, calls.first) },
    },
    { ...common, what: `time: ${what}`, unit: 'ms', ours: last, baseline: first },
  ]
  return { rows, world, calls, runs }
}

/** P10: page 1,000 of a list over page 1. */
export const pages: Piece = {
  ids: ['P10'],
  run: async (setting) => {
    const id = 'P10'
    const { rows, world, calls, runs } = await depthRows({ id, shards: 1, goal: { most: 1.05 } }, setting)
    // After ours: a sample after a bare query would pay for the garbage that the query left.
    const bare = await interleaved(
      {
        first: timeOf(await bareQuery(world, calls.first)),
        last: timeOf(await bareQuery(world, calls.last)),
      },
      runs,
    )
    return [
      ...rows.map((row) => ({ ...row, stretch: { most: 1 } })),
      {
        id,
        what: 'time: the same of the bare query, which is the embedded engine alone',
        unit: 'ms',
        ours: bare.last,
        baseline: bare.first,
      },
    ]
  },
}
