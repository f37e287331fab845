import { shardFor } from '../shared/spread.ts'

it.each([1, 2, 8, 64])('spreads creates over all of %i shards, however many lists read', (before) => {
  const used = Array.from({ length: 2_000 }, (_, index) => shardFor(`cus_${index}`, { shards: 64, before }))
  expect(new Set(used)).toEqual(new Set(Array.from({ length: before }, (_, shard) => shard)))
})
