import type { Row } from './row.ts'

/** The most rows, and characters of their bodies, that are held while they wait for their turn. */
const MOST_WAITING = { rows: 2_000, characters: 64 * 1024 * 1024 }

/**
 * Does `work` for each row: many at once, but those that share a key one after the other, in their order. Reads no
 * further than 2,000 rows or 64 MiB ahead. Ends with the first error that `work` throws; `stop` is called at once then.
 */
export const scheduled = async (
  rows: AsyncIterable<Row>,
  work: (row: Row) => Promise<void>,
  stop: (error: unknown) => void,
): Promise<void> => {
  const last = new Map<string, Promise<void>>()
  const underWay = new Set<Promise<void>>()
  let characters = 0
  let wake = (): void => undefined
  let failure: { readonly error: unknown } | undefined
  const run = async (row: Row, before: readonly (Promise<void> | undefined)[]): Promise<void> => {
    try {
      await Promise.all(before)
      if (!failure) await work(row)
    } catch (error) {
      failure ??= { error }
      stop(failure.error)
    }
  }
  for await (const row of rows) {
    while (underWay.size >= MOST_WAITING.rows || characters >= MOST_WAITING.characters)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    if (failure) break
    const done = run(
      row,
      row.keys.map((key) => last.get(key)),
    )
    characters += row.body.length
    underWay.add(done)
    for (const key of row.keys) last.set(key, done)
    done.then(() => {
      underWay.delete(done)
      characters -= row.body.length
      wake()
      for (const key of row.keys) if (last.get(key) === done) last.delete(key)
    })
  }
  await Promise.all(underWay)
  if (failure) throw failure.error
}
