import { type Engine, startEngine } from '../../../tools/local/engine.ts'

let engine: Engine | undefined

/**
 * Starts one engine in memory for all test files, each of which has its own tables: with an engine of its own, a
 * file took twice as long. If TEST_ENGINE is set, that engine is used instead.
 */
export const startTestEngine = async (): Promise<void> => {
  if (process.env.TEST_ENGINE) return
  engine = await startEngine()
  process.env.TEST_ENGINE = engine.endpoint
}

export const stopTestEngine = async (): Promise<void> => engine?.stop()
