/** A stream of entries in order, which is read piece by piece. */
export interface Stream<Entry> {
  readonly entries: readonly Entry[]
  /** The last entry that was read, even if it was skipped. */
  readonly last: Entry | undefined
  /** The number of entries that were read and skipped. */
  readonly skipped: number
  readonly ended: boolean
  /** Reads up to `limit` further entries, but no entry after `end`. */
  readonly readMore: (limit: number, end: Entry | undefined) => Promise<void>
}

/** The first entries of several streams, in order. */
export interface Merged<Entry> {
  readonly items: Entry[]
  /** Whether the streams may have more entries, although fewer than wanted were found. */
  readonly isCutShort: boolean
}

/** How streams are merged. */
interface Merging<Entry> {
  readonly compare: (one: Entry, other: Entry) => number
  /** The number of entries to read first from each stream. */
  readonly share: number
}

/** The number of rounds after which a read that skips entries ends early. Each round reads 1 MB of a stream at most. */
export const MAX_ROUNDS = 8

/**
 * Returns the first `wanted` entries of all streams in order. Reads its share from each stream at once, then more only from
 * the streams that may hold an entry before the last one found: two rounds, unless a read returns fewer than its limit.
 */
export const mergeInOrder = async <Entry>(
  wanted: number,
  streams: readonly Stream<Entry>[],
  { compare, share }: Merging<Entry>,
): Promise<Merged<Entry>> => {
  for (let round = 1; ; round += 1) {
    const found = streams
      .flatMap(({ entries }) => entries)
      .sort(compare)
      .slice(0, wanted)
    const end = found[wanted - 1]
    const mayPrecedeEnd = (last: Entry | undefined) => !last || !end || compare(last, end) < 0
    // The streams that may still have one of the wanted entries.
    const behind = streams.filter(({ last, ended }) => !ended && mayPrecedeEnd(last))
    if (behind.length === 0) return { items: found, isCutShort: false }
    if (round > MAX_ROUNDS && behind.some(({ skipped }) => skipped > 0))
      return { items: certainOf(found, behind, compare), isCutShort: true }
    const missingAfter = (last: Entry) => wanted - found.filter((entry) => compare(entry, last) <= 0).length
    await Promise.all(
      behind.map((stream) => stream.readMore(stream.last ? missingAfter(stream.last) : share, end)),
    )
  }
}

/**
 * Returns the found entries that come before all entries that the streams `behind` have not read yet. If there are none, returns
 * the entry up to which every stream was read, although it should be skipped. So the reader makes progress, and receives that
 * entry again at its last change.
 */
const certainOf = <Entry>(
  found: readonly Entry[],
  behind: readonly Stream<Entry>[],
  compare: Merging<Entry>['compare'],
): Entry[] => {
  const lastRead = behind.map(({ last }) => last).filter((last) => last !== undefined)
  const [end] = lastRead.sort(compare) as [Entry]
  const certain = found.filter((entry) => compare(entry, end) <= 0)
  return certain.length > 0 ? certain : [end]
}
