import { setClock } from '../shared/clock.ts'
import { shardFor, unspread, writtenShards } from '../shared/spread.ts'

const from = '2026-01-01T00:00:00Z'
const at = Date.parse(from)
afterEach(() => setClock())

it.each([
  ['before the number is announced', { shards: 8, before: 2 }, at, 2],
  ['a millisecond before the announced moment', { shards: 8, before: 2, from }, at - 1, 2],
  ['at the announced moment', { shards: 8, before: 2, from }, at, 8],
  ['after the announced moment', { shards: 8, before: 2, from }, at + 1, 8],
  ['if the application was never scaled', unspread, at, 1],
])('%s, creates of an application with %j use the right number of shards', (_, spread, now, expected) => {
  setClock(() => now)
  expect(writtenShards(spread)).toBe(expected)
  const used = Array.from({ length: 400 }, (__, index) => shardFor(`cus_${index}`, spread))
  expect(new Set(used)).toEqual(new Set(Array.from({ length: expected }, (__, shard) => shard)))
})
