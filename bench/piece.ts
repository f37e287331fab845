import type { Progress } from './interleave.ts'
import type { Measurement } from './rows.ts'

/** How a run is made. */
export interface Setting {
  readonly progress: Progress
  /** The full numbers: a million entities, ten minutes of load. */
  readonly long: boolean
}

/** One part of the benchmark, which can be run alone by the numbers of its measures. */
export interface Piece {
  readonly ids: readonly string[]
  run(setting: Setting): Promise<Measurement[]>
}
