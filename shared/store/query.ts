import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import { config } from '../config.ts'
import type { Item } from './items.ts'
import { listOf } from './keys.ts'
import { send } from './send.ts'
import { CHILD_INDEX, LIST_INDEX } from './table.ts'

/** The entries of a list between two sort keys of an index, in one direction. */
export interface Range {
  readonly app: string
  readonly plural: string
  /** The number of shards to read. */
  readonly shards: number
  readonly index: typeof LIST_INDEX | typeof CHILD_INDEX
  readonly lower: string
  readonly upper: string
  readonly ascending: boolean
}

/** What has been read of one shard. */
interface Part {
  readonly list: string
  readonly items: Item[]
  next: QueryCommandInput['ExclusiveStartKey']
  ended: boolean
}

/** The sort keys of the indexes. */
const places = { [LIST_INDEX]: 'order', [CHILD_INDEX]: 'under' } as const

/** The number of entries that half a read unit (4 KB) pays for, by the list's plural, as last measured in this process. */
const entriesPerUnit = new Map<string, number>()
const ASSUMED_ENTRIES_PER_UNIT = 16

/** Returns the bytes of attributes as DynamoDB counts them, apart from letters beyond ASCII. */
const sizeOf = (attributes: object, overhead = 0): number =>
  Object.entries(attributes).reduce((sum, [name, value]) => {
    const isMap = typeof value === 'object' && value !== null
    const size = isMap ? 3 + sizeOf(value, 1) : String(value).length
    return sum + overhead + name.length + (typeof value === 'number' ? Math.ceil(size / 2) + 1 : size)
  }, 0)

const learnSize = (plural: string, entry: Item): unknown =>
  entriesPerUnit.set(plural, Math.max(1, Math.floor(4_096 / sizeOf(entry))))

/**
 * Returns how many entries to request of each shard first: its share, rounded up to what the same read units pay for,
 * unless chance hardly ever puts as many into one shard.
 */
const firstLimit = (wanted: number, { plural, shards }: Range): number => {
  const share = wanted / shards
  const perUnit = entriesPerUnit.get(plural) ?? ASSUMED_ENTRIES_PER_UNIT
  const paid = perUnit * Math.ceil(share / perUnit)
  return Math.min(wanted, paid, Math.ceil(share + 3 * Math.sqrt(share)))
}

/**
 * The number of queries that a process has under way at most. More would wait for each other's sockets and handshakes
 * within the time of their attempts, and fail together.
 */
export const MOST_QUERIES = 16
let underWay = 0
const waiting: (() => void)[] = []

/** Runs a query when fewer than the most are under way, in the order of the calls. */
const inTurn = async <T>(query: () => Promise<T>): Promise<T> => {
  if (underWay === MOST_QUERIES) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay += 1
  try {
    return await query()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay -= 1
  }
}

const readOn = async (
  part: Part,
  limit: number,
  { index, lower, upper, ascending }: Range,
): Promise<void> => {
  const query = new QueryCommand({
    TableName: config().table,
    IndexName: index,
    KeyConditionExpression: '#list = :list AND #place BETWEEN :lower AND :upper',
    ExpressionAttributeNames: { '#list': 'list', '#place': places[index] },
    ExpressionAttributeValues: { ':list': part.list, ':lower': lower, ':upper': upper },
    ScanIndexForward: ascending,
    Limit: limit,
    ExclusiveStartKey: part.next,
  })
  const { Items = [], LastEvaluatedKey } = await inTurn(() => send<QueryCommandOutput>(query))
  part.items.push(...(Items as Item[]))
  part.next = LastEvaluatedKey
  part.ended = LastEvaluatedKey === undefined
}

/**
 * Returns up to `wanted` entries of a range in order, merged from all shards. Reads each shard's share at once, then
 * only those shards again that may hold more entries before the last one: two rounds, unless answers stop at 1 MB.
 */
export const queryInOrder = async (wanted: number, range: Range): Promise<Item[]> => {
  const { app, plural, shards, index, ascending } = range
  const placeOf = (item: Item): string => item[places[index]]!
  const isBefore = (one: Item, other: Item) =>
    ascending ? placeOf(one) < placeOf(other) : placeOf(one) > placeOf(other)
  const parts = Array.from(
    { length: shards },
    (_, shard): Part => ({ list: listOf(app, plural, shard), items: [], next: undefined, ended: false }),
  )
  const first = firstLimit(wanted, range)
  for (;;) {
    const merged = parts
      .flatMap(({ items }) => items)
      .sort((one, other) => (isBefore(one, other) ? -1 : 1))
      .slice(0, wanted)
    const end = merged[wanted - 1]
    const short = parts.filter(({ items, ended }) => {
      const last = items.at(-1)
      return !ended && !(last && end && !isBefore(last, end))
    })
    if (short.length === 0) {
      if (shards > 1 && merged[0]) learnSize(plural, merged[0])
      return merged
    }
    const rest = end ? { ...range, [ascending ? 'upper' : 'lower']: placeOf(end) } : range
    await Promise.all(
      short.map((part) => {
        const last = part.items.at(-1)
        const certain = last ? merged.filter((item) => !isBefore(last, item)).length : 0
        return readOn(part, last ? wanted - certain : first, rest)
      }),
    )
  }
}
