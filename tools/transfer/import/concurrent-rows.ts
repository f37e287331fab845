import type { Limiter } from '../../../client/limiter.ts'
import { bodyOf, keysOf, type Row } from '../row.ts'

const MAX_ROWS_IN_PROGRESS = 2_000
const MAX_CHARACTERS_IN_PROGRESS = 64 * 1024 * 1024

/** The rows in progress. Rows with a common key run one after another, in the order in which they are started. */
class RowsInProgress {
  readonly #ends = new Set<Promise<void>>()
  readonly #lastEndByKey = new Map<string, Promise<void>>()
  #characters = 0
  #wake = (): void => undefined

  /** Starts a row: calls `run` once all earlier rows with a common key have ended. */
  start(row: Row, run: () => Promise<void>): void {
    const keys = keysOf(row)
    const { length } = bodyOf(row)
    const earlier = keys.map((key) => this.#lastEndByKey.get(key))
    const end = Promise.all(earlier).then(run)
    this.#characters += length
    this.#ends.add(end)
    for (const key of keys) this.#lastEndByKey.set(key, end)
    end.then(() => {
      this.#ends.delete(end)
      this.#characters -= length
      for (const key of keys) if (this.#lastEndByKey.get(key) === end) this.#lastEndByKey.delete(key)
      this.#wake()
    })
  }

  get isFull(): boolean {
    return this.#ends.size >= MAX_ROWS_IN_PROGRESS || this.#characters >= MAX_CHARACTERS_IN_PROGRESS
  }

  nextEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  async allEnded(): Promise<void> {
    await Promise.all(this.#ends)
  }
}

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
  const inProgress = new RowsInProgress()
  const run = async (row: Row): Promise<void> => {
    try {
      if (!limiter.signal.aborted) await processRow(row)
    } catch (error) {
      limiter.stop(error)
    }
  }
  try {
    for (const row of rows) {
      while (inProgress.isFull) await inProgress.nextEnd()
      if (limiter.signal.aborted) break
      inProgress.start(row, () => run(row))
    }
  } catch (error) {
    limiter.stop(error)
  }
  await inProgress.allEnded()
  limiter.signal.throwIfAborted()
}
