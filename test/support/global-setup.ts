import { resolve } from 'node:path'
import { type Engine, startEngine } from '../../tools/local/engine.ts'

/** Starts one engine in memory for all test files, unless TEST_ENGINE names one. Each test file creates its own table. */
export default async (): Promise<void> => {
  // The processes of tests start in half the time if Node does not compile the same sources again.
  process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node')
  if (process.env.TEST_ENGINE) return
  const engine: Engine = await startEngine()
  process.env.TEST_ENGINE = engine.endpoint
  Object.assign(globalThis, { testEngine: engine })
}
