import type { Progress } from './interleave.ts'
import type { Measurement } from './rows.ts'

/** The settings of a run. */
export interface Setting {
  readonly progress: Progress
  /** Whether to use the full numbers: a million entities, ten minutes of load. */
  readonly long: boolean
}

/** One part of the benchmark, which can be run alone by the ids of its measures. */
export interface Piece {
  readonly ids: readonly string[]
  run(setting: Setting): Promise<Measurement[]>
}
