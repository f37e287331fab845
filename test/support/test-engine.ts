import { type Engine, startEngine } from '../../tools/local/engine.ts'

/** Starts an engine in memory for the tests of a file, unless TEST_ENGINE names one. Call it at the top of a test file. */
export const engineForTests = (): void => {
  let engine: Engine | undefined
  beforeAll(async () => {
    if (process.env.TEST_ENGINE) return
    engine = await startEngine()
    process.env.TEST_ENGINE = engine.endpoint
  })
  afterAll(() => engine?.stop())
}
