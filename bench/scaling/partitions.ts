import { dynamodb } from './limits.ts'

/** The partitions of one list in an index: each holds a range of sort keys and takes so many writes a second. */
interface Partition {
  readonly from: number
  /** Seconds in which it has refused writes, one after the other. */
  readonly heat: number
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

/** How many of the wanted writes each partition is asked for. */
const askedOf = (partitions: readonly Partition[], { wanted, keys }: Flow): number[] =>
  partitions.map(({ from }, index) => {
    const end = partitions[index + 1]?.from ?? 1
    if (keys === 'spread') return wanted * (end - from)
    return end === 1 ? wanted : 0
  })

/**
 * Writes taken a second, second by second, by one list. A partition that has refused writes for a minute is split in
 * the middle of its range, which helps where writes fall into both halves.
 */
export const taken = (flow: Flow): number[] => {
  let partitions: Partition[] = [{ from: 0, heat: 0 }]
  return Array.from({ length: flow.seconds }, () => {
    const asked = askedOf(partitions, flow)
    const done = asked.reduce((sum, each) => sum + Math.min(each, partitionWrites), 0)
    partitions = partitions.flatMap(({ from, heat }, index) => {
      const hotter = asked[index]! > partitionWrites ? heat + 1 : 0
      if (hotter < SPLIT_AFTER_SECONDS) return [{ from, heat: hotter }]
      const end = partitions[index + 1]?.from ?? 1
      return [from, (from + end) / 2].map((start) => ({ from: start, heat: 0 }))
    })
    return done
  })
}
