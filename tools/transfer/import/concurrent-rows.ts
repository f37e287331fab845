import type { Limiter } from '../../../client/limiter.ts'
import { bodyOf, keysOf, type Row } from '../row.ts'

const MAX_ROWS_IN_PROGRESS = 2_000
const MAX_CHARACTERS_IN_PROGRESS = 64 * 1024 * 1024

/**
 * Calls `processRow` for each row: concurrently, except that rows with a common key are processed one after another, in order. At
 * most 2,000 rows, with bodies of about 64 Mi characters, are in progress. The first error stops the limiter; once no row is in
 * progress, it is thrown.
 */
export const processRows = async (
  rows: Iterable<Row>,
  processRow: (row: Row) => Promise<void>,
  limiter: Limiter,
): Promise<void> => {
  /** Resolved when their rows have been processed. */
  const ends = new Set<Promise<void>>()
  const lastEndByKey = new Map<string, Promise<void>>()
  let characters = 0
  let wake = (): void => undefined

  const process = async (row: Row, earlier: readonly (Promise<void> | undefined)[]): Promise<void> => {
    await Promise.all(earlier)
    try {
      if (!limiter.signal.aborted) await processRow(row)
    } catch (error) {
      limiter.stop(error)
    }
  }

  const start = (row: Row): void => {
    const keys = keysOf(row)
    const { length } = bodyOf(row)
    const end = process(
      row,
      keys.map((key) => lastEndByKey.get(key)),
    ).then(() => {
      ends.delete(end)
      characters -= length
      for (const key of keys) if (lastEndByKey.get(key) === end) lastEndByKey.delete(key)
      wake()
    })
    characters += length
    ends.add(end)
    for (const key of keys) lastEndByKey.set(key, end)
  }

  try {
    for (const row of rows) {
      while (ends.size >= MAX_ROWS_IN_PROGRESS || characters >= MAX_CHARACTERS_IN_PROGRESS)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (limiter.signal.aborted) break
      start(row)
    }
  } catch (error) {
    limiter.stop(error)
  }
  await Promise.all(ends)
  limiter.signal.throwIfAborted()
}
