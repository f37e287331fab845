import type { Row } from './row.ts'

/** The maximum of rows, and of characters of their bodies, that are read ahead. */
const MAX_READ_AHEAD = { rows: 2_000, characters: 64 * 1024 * 1024 }

/**
 * Processes rows concurrently, but those that share a key one after the other, in their order. Reads at most 2,000 rows
 * or 64 MiB ahead. Rejects with the first error of `process`, after `onError` was called and all rows have ended.
 */
export const processRows = async (
  rows: AsyncIterable<Row>,
  process: (row: Row) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> => {
  const lastOfKey = new Map<string, Promise<void>>()
  const active = new Set<Promise<void>>()
  let characters = 0
  let wake = (): void => undefined
  let failure: { readonly error: unknown } | undefined
  const fail = (error: unknown): void => {
    failure ??= { error }
    onError(failure.error)
  }
  const run = async (row: Row, predecessors: readonly (Promise<void> | undefined)[]): Promise<void> => {
    try {
      await Promise.all(predecessors)
      if (!failure) await process(row)
    } catch (error) {
      fail(error)
    }
  }
  const start = (row: Row): void => {
    const ended = run(
      row,
      row.keys.map((key) => lastOfKey.get(key)),
    )
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
    for await (const row of rows) {
      while (active.size >= MAX_READ_AHEAD.rows || characters >= MAX_READ_AHEAD.characters)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (failure) break
      start(row)
    }
  } catch (error) {
    fail(error)
  }
  await Promise.all(active)
  if (failure) throw failure.error
}
