import { type Engine, startEngine } from '../../../tools/local/engine.ts'

/** Starts an engine in memory for the tests around the call, those of a file or a `describe`, unless TEST_ENGINE names one. */
export const engineForTests = (): void => {
  let engine: Engine | undefined
  beforeAll(async () => {
    if (process.env.TEST_ENGINE) return
    engine = await startEngine()
    process.env.TEST_ENGINE = engine.endpoint
  })
  afterAll(async () => {
    if (!engine) return
    delete process.env.TEST_ENGINE
    await engine.stop()
  })
}
