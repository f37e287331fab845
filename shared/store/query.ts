import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import { isMarked } from './changes.ts'
import type { Item } from './items.ts'
import { listPartition } from './keys.ts'
import { send } from './send.ts'
import { tableName } from './service.ts'
import { CHANGE_INDEX, CHILD_INDEX, LIST_INDEX } from './table.ts'

/**
 * The maximum number of concurrent queries of a process. More would wait for each other's sockets and
 * handshakes within the time of their attempts, and fail together.
 */
export const MAX_QUERIES = 16

let underWay = 0
const waiting: (() => void)[] = []

/** Runs a query when fewer than the maximum are running, in the order of the calls. */
const inTurn = async <T>(query: () => Promise<T>): Promise<T> => {
  if (underWay === MAX_QUERIES) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay += 1
  try {
    return await query()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay -= 1
  }
}

const sortKeys = { [LIST_INDEX]: 'order', [CHILD_INDEX]: 'under', [CHANGE_INDEX]: 'changed' } as const

/** The entries of a list between two sort keys of one or more indexes, in one direction. */
export interface Range {
  readonly app: string
  readonly plural: string
  readonly shards: number
  /** The indexes to merge, whose sort keys are comparable. */
  readonly indexes: readonly (keyof typeof sortKeys)[]
  readonly lower: string
  readonly upper: string
  readonly ascending: boolean
  /** Whether entries of entities that have changed are skipped in all but the change index. */
  readonly skipsChanged?: boolean
}

/** The sort key of an entry in its index: the first of these attributes that the entry has. */
const sortKeyOf = ({ changed, under, order }: Item): string => changed ?? under ?? order

/** The part of a range in one index partition. */
class Part {
  readonly entries: Item[] = []
  /** The last entry that was read, even if it was skipped. */
  last: Item | undefined
  /** The number of entries that were read and skipped. */
  skipped = 0
  ended = false
  #next: QueryCommandInput['ExclusiveStartKey']
  readonly #range: Range
  readonly #index: Range['indexes'][number]
  readonly #list: string

  constructor(range: Range, index: Range['indexes'][number], list: string) {
    this.#range = range
    this.#index = index
    this.#list = list
  }

  /**
   * Reads up to `limit` further entries, but none after `end`. Reads at least as many as were skipped so far,
   * so that a long sequence of skipped entries takes few rounds.
   */
  async readMore(limit: number, end: Item | undefined): Promise<void> {
    const { lower, upper, ascending } = this.#range
    const query = new QueryCommand({
      TableName: tableName(),
      IndexName: this.#index,
      KeyConditionExpression: '#list = :list AND #sort BETWEEN :lower AND :upper',
      ExpressionAttributeNames: { '#list': 'list', '#sort': sortKeys[this.#index] },
      ExpressionAttributeValues: {
        ':list': this.#list,
        ':lower': end && !ascending ? sortKeyOf(end) : lower,
        ':upper': end && ascending ? sortKeyOf(end) : upper,
      },
      ScanIndexForward: ascending,
      Limit: Math.max(limit, this.skipped),
      ExclusiveStartKey: this.#next,
    })
    const { Items = [], LastEvaluatedKey } = await inTurn(() => send<QueryCommandOutput>(query))
    this.#add(Items as Item[])
    this.#next = LastEvaluatedKey
    this.ended = LastEvaluatedKey === undefined
  }

  #add(readItems: readonly Item[]): void {
    const skips = this.#range.skipsChanged && this.#index !== CHANGE_INDEX
    const keptItems = skips ? readItems.filter((item) => !isMarked(item)) : readItems
    this.entries.push(...keptItems)
    this.skipped += readItems.length - keptItems.length
    this.last = readItems.at(-1) ?? this.last
  }
}

/** Entries to read first from each of several shards beyond its share, so that a second read is rare. */
const SPARE = 4

/** A read that skips entries ends early after as many rounds. Each reads 1 MB of a part at most. */
export const MAX_ROUNDS = 8

type Comparison = (one: Item, other: Item) => number

const comparison =
  (ascending: boolean): Comparison =>
  (one, other) => {
    const first = sortKeyOf(one)
    const second = sortKeyOf(other)
    if (first === second) return 0
    const isFirst = ascending ? first < second : first > second
    return isFirst ? -1 : 1
  }

/** The first entries of a range, in order. */
interface FirstEntries {
  readonly items: Item[]
  /** Whether the range may have more entries, although fewer than wanted were found. */
  readonly isCutShort: boolean
}

/** Creates a part for each partition of a range: for each of its indexes, each shard of the list. */
const partsOf = (range: Range): Part[] => {
  const shards = Array.from({ length: range.shards }, (_, shard) => shard)
  return range.indexes.flatMap((index) =>
    shards.map((shard) => new Part(range, index, listPartition(range.app, range.plural, shard))),
  )
}

/**
 * The entries of a read that ends early: those before which nothing is unread. If there are none, it is the
 * entry up to which every part was read, although it should be skipped. So the reader makes progress, and
 * receives that entry again at its last change.
 */
const certainEntries = (foundEntries: Item[], behind: readonly Part[], compare: Comparison): FirstEntries => {
  const [readUntil] = behind.flatMap(({ last }) => last ?? []).sort(compare)
  const certain = foundEntries.filter((entry) => readUntil && compare(entry, readUntil) <= 0)
  return { items: certain.length > 0 || !readUntil ? certain : [readUntil], isCutShort: true }
}

/**
 * Returns up to `wanted` entries of a range in order, merged from all its parts. Reads its share from each part
 * at once, then more only from the parts that may hold an entry before the last one found: two rounds, unless a
 * read returns fewer than its limit.
 */
export const queryInOrder = async (wanted: number, range: Range): Promise<FirstEntries> => {
  const parts = partsOf(range)
  const compare = comparison(range.ascending)
  const share = Math.min(wanted, Math.ceil(wanted / range.shards) + SPARE)
  for (let round = 1; ; round += 1) {
    const entries = parts.flatMap((part) => part.entries).sort(compare)
    const foundEntries = entries.slice(0, wanted)
    const end = foundEntries[wanted - 1]
    const mayPrecedeEnd = ({ last }: Part) => !last || !end || compare(last, end) < 0
    const behind = parts.filter((part) => !part.ended && mayPrecedeEnd(part))
    if (behind.length === 0) return { items: foundEntries, isCutShort: false }
    if (round > MAX_ROUNDS && behind.some(({ skipped }) => skipped > 0))
      return certainEntries(foundEntries, behind, compare)
    const missingAfter = (last: Item) =>
      wanted - foundEntries.filter((entry) => compare(entry, last) <= 0).length
    await Promise.all(behind.map((part) => part.readMore(part.last ? missingAfter(part.last) : share, end)))
  }
}
