import type { RemovalOptions } from '../../../tools/operator/remove.ts'

export const immediateRemoval = (more: Partial<RemovalOptions> = {}): RemovalOptions => ({
  keepApplication: false,
  show: () => undefined,
  wait: async () => undefined,
  ...more,
})
