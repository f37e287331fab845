import { DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { bulkLoad } from '../bulk.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
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

/** P10: page 1,000 of a list over page 1. */
export const pages: Piece = {
  ids: ['P10'],
  run: async ({ progress, long }) => {
    const limit = long ? 100 : 25
    const world = await newWorld()
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
    const [first, last] = [page('null'), page(cursor)]
    const runs = { rounds: 101, progress: (text: string) => progress(`page 1,000 and page 1: ${text}`) }
    // One pair at a time: a sample after a bare query would pay for the garbage that the query left.
    const ours = await interleaved(
      { first: timeOf(() => world.observe(first)), last: timeOf(() => world.observe(last)) },
      runs,
    )
    const bare = await interleaved(
      { first: timeOf(await bareQuery(world, first)), last: timeOf(await bareQuery(world, last)) },
      runs,
    )
    const common = { id: 'P10', goal: { most: 1.05 }, stretch: { most: 1 } }
    return [
      {
        ...common,
        what: `units: page 1,000 of ${limit} over page 1`,
        unit: 'units',
        ours: await unitsOf(world, last),
        baseline: await unitsOf(world, first),
      },
      {
        ...common,
        what: `time: page 1,000 of ${limit} over page 1`,
        unit: 'ms',
        ours: ours.last,
        baseline: ours.first,
      },
      {
        id: 'P10',
        what: 'time: the same of the bare query, which is the embedded engine alone',
        unit: 'ms',
        ours: bare.last,
        baseline: bare.first,
      },
    ]
  },
}
