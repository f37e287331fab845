import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import { config } from '../config.ts'
import { isMarked } from './changes.ts'
import type { Item } from './items.ts'
import { listOf } from './keys.ts'
import { send } from './send.ts'
import { CHANGE_INDEX, CHILD_INDEX, LIST_INDEX } from './table.ts'

/** The sort keys of the indexes. */
const sortKeys = { [LIST_INDEX]: 'order', [CHILD_INDEX]: 'under', [CHANGE_INDEX]: 'changed' } as const

/** The entries of a list between two sort keys of one or more indexes, in one direction. */
export interface Range {
  readonly app: string
  readonly plural: string
  /** The number of shards to read. */
  readonly shards: number
  /** The indexes to merge, whose sort keys are comparable. */
  readonly indexes: readonly (keyof typeof sortKeys)[]
  readonly lower: string
  readonly upper: string
  readonly ascending: boolean
  /** Whether entries of entities that have changed are skipped in all but the change index. */
  readonly skipsChanged?: boolean
}

/** The entries read from one shard in one index. */
interface Part {
  readonly list: string
  readonly index: Range['indexes'][number]
  readonly items: Item[]
  /** The last entry that was read, skipped or not. */
  last: Item | undefined
  skipped: number
  next: QueryCommandInput['ExclusiveStartKey']
  ended: boolean
}

/** Entries in order. */
interface Entries {
  readonly items: Item[]
  /** Whether the range may have more entries, although fewer than wanted were found. */
  readonly isCutShort: boolean
}

/** Returns the sort key of an entry in its index: the first of these attributes that the entry has. */
const placeOf = ({ changed, under, order }: Item): string => changed ?? under ?? order

/** The number of entries in half a read unit (4 KB), by the list's plural, as last measured in this process. */
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
 * Returns the number of entries to request first from each shard: its share, rounded up to full read units, unless a
 * shard hardly ever contains as many.
 */
const firstLimit = (wanted: number, { plural, shards }: Range): number => {
  const share = wanted / shards
  const perUnit = entriesPerUnit.get(plural) ?? ASSUMED_ENTRIES_PER_UNIT
  const paid = perUnit * Math.ceil(share / perUnit)
  return Math.min(wanted, paid, Math.ceil(share + 3 * Math.sqrt(share)))
}

/**
 * The maximum number of concurrent queries of a process. More would wait for each other's sockets and handshakes
 * within the time of their attempts, and fail together.
 */
export const MOST_QUERIES = 16
let underWay = 0
const waiting: (() => void)[] = []

/** Runs a query when fewer than the maximum are running, in the order of the calls. */
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
  { lower, upper, ascending, skipsChanged }: Range,
): Promise<void> => {
  const query = new QueryCommand({
    TableName: config().table,
    IndexName: part.index,
    KeyConditionExpression: '#list = :list AND #place BETWEEN :lower AND :upper',
    ExpressionAttributeNames: { '#list': 'list', '#place': sortKeys[part.index] },
    ExpressionAttributeValues: { ':list': part.list, ':lower': lower, ':upper': upper },
    ScanIndexForward: ascending,
    Limit: limit,
    ExclusiveStartKey: part.next,
  })
  const { Items = [], LastEvaluatedKey } = await inTurn(() => send<QueryCommandOutput>(query))
  const read = Items as Item[]
  const skips = skipsChanged && part.index !== CHANGE_INDEX
  const kept = skips ? read.filter((item) => !isMarked(item)) : read
  part.items.push(...kept)
  part.skipped += read.length - kept.length
  part.last = read.at(-1) ?? part.last
  part.next = LastEvaluatedKey
  part.ended = LastEvaluatedKey === undefined
}

/** After so many rounds, a read ends early if entries were skipped: at most so many MB of each shard. */
const MOST_ROUNDS = 8

/** Returns where an entry is in the order of a range, compared with another. */
const comparison =
  ({ ascending }: Range) =>
  (one: Item, other: Item): number =>
    placeOf(one) === placeOf(other) ? 0 : placeOf(one) < placeOf(other) === ascending ? -1 : 1

/**
 * Returns the entries that are certainly complete and in order, given the parts that may still have earlier ones. If there
 * are none, returns the entry up to which everything was read, although it should be skipped: so the reader proceeds, and
 * receives that entity again at its last change.
 */
const certainOf = (merged: readonly Item[], unread: readonly Part[], range: Range): Entries => {
  const compare = comparison(range)
  const [end] = unread.flatMap(({ last }) => last ?? []).sort(compare)
  const certain = merged.filter((item) => compare(item, end!) <= 0)
  return { items: certain.length > 0 ? certain : [end!], isCutShort: true }
}

/**
 * Returns up to `wanted` entries of a range in order, merged from all shards and indexes. Reads each shard's share at
 * once, then only those shards again that may hold more entries before the last one: two rounds, unless responses stop at
 * 1 MB or entries are skipped. A part that skips reads twice as much in each round.
 */
export const queryInOrder = async (wanted: number, range: Range): Promise<Entries> => {
  const { app, plural, shards, indexes, ascending } = range
  const compare = comparison(range)
  const parts = indexes.flatMap((index) =>
    Array.from({ length: shards }, (_, shard): Part => {
      const list = listOf(app, plural, shard)
      return { list, index, items: [], last: undefined, skipped: 0, next: undefined, ended: false }
    }),
  )
  const first = firstLimit(wanted, range)
  for (let round = 1; ; round += 1) {
    const merged = parts
      .flatMap(({ items }) => items)
      .sort(compare)
      .slice(0, wanted)
    const end = merged[wanted - 1]
    const short = parts.filter(({ last, ended }) => !ended && !(last && end && compare(last, end) >= 0))
    if (short.length === 0) {
      if (shards > 1 && merged[0]) learnSize(plural, merged[0])
      return { items: merged, isCutShort: false }
    }
    if (round > MOST_ROUNDS && short.some(({ skipped }) => skipped > 0))
      return certainOf(merged, short, range)
    const rest = end ? { ...range, [ascending ? 'upper' : 'lower']: placeOf(end) } : range
    await Promise.all(
      short.map((part) => {
        const { last, skipped } = part
        const certain = last ? merged.filter((item) => compare(item, last) <= 0).length : 0
        return readOn(part, last ? Math.max(wanted - certain, skipped) : first, rest)
      }),
    )
  }
}
