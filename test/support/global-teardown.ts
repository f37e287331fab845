import type { Engine } from '../../tools/local/engine.ts'

export default async (): Promise<void> => {
  const { testEngine } = globalThis as unknown as { testEngine?: Engine }
  if (testEngine === undefined) return
  await testEngine.stop()
  // A process that runs tests again must start an engine again.
  delete process.env.TEST_ENGINE
}
