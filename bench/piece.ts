import type { Progress } from './interleave.ts'
import type { Measurement } from './rows.ts'

/** The settings of a run. */
export interface Setting {
  readonly progress: Progress
  /** Whether to use the full numbers: a million entities, ten minutes of load. */
  readonly long: boolean
}

/** A part of the benchmark, selected on the command line by the id of any of its measures. */
export interface Piece {
  readonly ids: readonly string[]
  run(setting: Setting): Promise<Measurement[]>
}
