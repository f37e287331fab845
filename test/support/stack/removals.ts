import type { Removal } from '../../../tools/operator/remove.ts'

/** Returns a removal that does not wait. */
export const immediateRemoval = (more: Partial<Removal> = {}): Removal => ({
  keepApplication: false,
  show: () => undefined,
  wait: async () => undefined,
  ...more,
})
