import { type Engine, startEngine } from '../../../tools/local/engine.ts'

let engine: Engine | undefined

/**
 * Starts one in-memory engine for all test files. Each file has tables of its own in it, because a file took twice
 * as long with an engine of its own. If TEST_ENGINE is set, the tests use that engine instead.
 */
export const startTestEngine = async (): Promise<void> => {
  if (process.env.TEST_ENGINE) return
  engine = await startEngine()
  process.env.TEST_ENGINE = engine.endpoint
}

export const stopTestEngine = async (): Promise<void> => engine?.stop()
