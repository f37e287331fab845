import type { Engine } from '../../shared/local/engine.ts'

export default async (): Promise<void> => {
  await (globalThis as unknown as { testEngine?: Engine }).testEngine?.stop()
}
