import type { Limiter } from '../../../client/limiter.ts'
import type { Row } from '../row.ts'

const MAX_READ_AHEAD = { rows: 2_000, characters: 64 * 1024 * 1024 }

/**
 * Processes rows concurrently, but those with a common key one after another. Reads at most 2,000 rows or 64 MiB ahead.
 * Stops the limiter at the first error, and rejects with it when no row is in progress any more.
 */
export const processRows = async (
  rows: Iterable<Row>,
  process: (row: Row) => Promise<void>,
  limiter: Limiter,
): Promise<void> => {
  const lastOfKey = new Map<string, Promise<void>>()
  const active = new Set<Promise<void>>()
  let characters = 0
  let wake = (): void => undefined
  const run = async (row: Row): Promise<void> => {
    try {
      await Promise.all(row.keys.map((key) => lastOfKey.get(key)))
      if (!limiter.signal.aborted) await process(row)
    } catch (error) {
      limiter.stop(error)
    }
  }
  const start = (row: Row): void => {
    const ended = run(row)
    characters += row.body.length
    active.add(ended)
    for (const key of row.keys) lastOfKey.set(key, ended)
    ended.then(() => {
      active.delete(ended)
      characters -= row.body.length
      for (const key of row.keys) if (lastOfKey.get(key) === ended) lastOfKey.delete(key)
      wake()
    })
  }
  try {
    for (const row of rows) {
      while (active.size >= MAX_READ_AHEAD.rows || characters >= MAX_READ_AHEAD.characters)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (limiter.signal.aborted) break
      start(row)
    }
  } catch (error) {
    limiter.stop(error)
  }
  await Promise.all(active)
  limiter.signal.throwIfAborted()
}
