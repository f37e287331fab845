import type { Progress } from './interleave.ts'
import type { Measurement } from './rows.ts'

/** The settings of a run. */
export interface Setting {
  readonly progress: Progress
  /** Whether to use the full numbers: a million entities, ten minutes of load. */
  readonly long: boolean
}

/** A part of the benchmark. The ids of its measures select it on the command line. */
export interface Piece {
  readonly ids: readonly string[]
  run(setting: Setting): Promise<Measurement[]>
}
