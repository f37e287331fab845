import { dynamodb } from './limits.ts'

/** The partitions of one list in an index: each holds a range of sort keys and takes so many writes a second. */
interface Partition {
  readonly from: number
  heat: number
}

const SPLIT_AFTER_SECONDS = 60
const { partitionWrites } = dynamodb

export interface Flow {
  /** Writes wanted in a second. */
  readonly wanted: number
  /** `rising`: each key is greater than all before it, as creation order is; `spread`: keys fall anywhere. */
  readonly keys: 'rising' | 'spread'
  readonly seconds: number
}

/** Where a write goes: between 0 and 1 in the space of keys. */
const place = (keys: Flow['keys'], index: number, wanted: number): number =>
  keys === 'rising' ? 1 - Number.EPSILON : index / wanted

/**
 * Writes taken a second, second by second, by one list. A partition that has refused writes for a minute is split in
 * the middle of its range, which helps where writes fall into both halves.
 */
export const taken = ({ wanted, keys, seconds }: Flow): number[] => {
  let partitions: Partition[] = [{ from: 0, heat: 0 }]
  return Array.from({ length: seconds }, () => {
    const asked = partitions.map(() => 0)
    for (let index = 0; index < wanted; index += 1) {
      const at = place(keys, index, wanted)
      const last = partitions.findLastIndex(({ from }) => from <= at)
      asked[last] = asked[last]! + 1
    }
    const done = asked.reduce((sum, each) => sum + Math.min(each, partitionWrites), 0)
    for (const [index, partition] of partitions.entries())
      partition.heat = asked[index]! > partitionWrites ? partition.heat + 1 : 0
    partitions = partitions.flatMap((partition, index) => {
      if (partition.heat < SPLIT_AFTER_SECONDS) return [partition]
      const end = partitions[index + 1]?.from ?? 1
      return [
        { from: partition.from, heat: 0 },
        { from: (partition.from + end) / 2, heat: 0 },
      ]
    })
    return done
  })
}
