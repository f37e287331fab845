import { DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { bulkLoad } from '../bulk.ts'
import { compared, meanTime } from '../interleave.ts'
import type { Piece, Setting } from '../piece.ts'
import type { Goal, Measurement } from '../rows.ts'
import { type Call, newWorld, type World } from '../world.ts'

const PAGES = 1_000
const REPEATS = 10
const ROUNDS = 101

/** Returns a function that repeats a page's query with the bare client and ignores the answer. */
const bareQuery = async (world: World, call: Call): Promise<() => Promise<unknown>> => {
  const [query] = (await world.observe(call)).sent
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint: world.endpoint, region: 'local', credentials })
  return () => client.send(new QueryCommand(query!.input as unknown as QueryCommandInput))
}

/** Records 1,001 pages of customers and returns the requests for page 1 and page 1,000. */
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
export const depthRows = async (shards: number, goal: Goal, setting: Setting) => {
  const limit = setting.long ? 100 : 25
  const world = await newWorld(shards)
  const calls = await thousandPages(world, limit, setting)
  const { first, last } = calls
  const what = `page 1,000 of ${limit} over page 1${shards === 1 ? '' : `, ${shards} shards`}`
  const [ours, baseline] = [last, first].map((call) => meanTime(() => world.observe(call), REPEATS))
  const time = await compared(
    { what: `time: ${what}`, unit: 'ms', goal },
    { ours: ours!, baseline: baseline! },
    { rounds: ROUNDS, progress: setting.progress },
  )
  const units = { ours: (await world.observe(last)).units, baseline: (await world.observe(first)).units }
  const rows: Measurement[] = [{ what: `units: ${what}`, unit: 'units', goal, ...units }, time]
  return { rows, world, calls }
}

/** P10: page 1,000 of a list over page 1. */
export const pages: Piece = {
  ids: ['P10'],
  run: async (setting) => {
    const { rows, world, calls } = await depthRows(1, { most: 1.05 }, setting)
    // After ours: a sample after a bare query would pay for the garbage that the query left.
    const bare = await compared(
      { what: 'time: the same of the bare query, which is the embedded engine alone', unit: 'ms' },
      {
        baseline: meanTime(await bareQuery(world, calls.first), REPEATS),
        ours: meanTime(await bareQuery(world, calls.last), REPEATS),
      },
      { rounds: ROUNDS, progress: setting.progress },
    )
    return [...rows.map((row) => ({ ...row, stretch: { most: 1 } })), bare]
  },
}
