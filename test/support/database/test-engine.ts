import { type Engine, startEngine } from '../../../tools/local/engine.ts'

/**
 * In memory, for the file or `describe` that calls this. If TEST_ENGINE is set, it is the endpoint of an
 * engine that is used instead.
 */
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
