import { type Engine, startEngine } from '../../../tools/local/engine.ts'

let engine: Engine | undefined

/**
 * Starts one engine in memory for all test files, each of which has tables of its own, since a file of the API
 * took twice as long with its own engine. A TEST_ENGINE of the environment is used instead.
 */
export const startTestEngine = async (): Promise<void> => {
  if (process.env.TEST_ENGINE) return
  engine = await startEngine()
  process.env.TEST_ENGINE = engine.endpoint
}

export const stopTestEngine = async (): Promise<void> => engine?.stop()
