import type { RemovalOptions } from '../../../tools/operator/remove.ts'

/** Returns a removal that does not wait. */
export const immediateRemoval = (more: Partial<RemovalOptions> = {}): RemovalOptions => ({
  keepApplication: false,
  show: () => undefined,
  wait: async () => undefined,
  ...more,
})
