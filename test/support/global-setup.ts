import { type Engine, startEngine } from '../../tools/local/engine.ts'

/** Starts one engine in memory for all test files, unless TEST_ENGINE names one. Each test file creates its own table. */
export default async (): Promise<void> => {
  if (process.env.TEST_ENGINE) return
  const engine: Engine = await startEngine(0)
  process.env.TEST_ENGINE = engine.endpoint
  Object.assign(globalThis, { testEngine: engine })
}
