import type { Month, Movement } from '../../client/analytics/index.ts'

/** The retention of the customers who had recurring revenue at the end of a month. Amounts are in minor units. */
export interface Retention {
  readonly month: Month
  /** Their recurring revenue at the end of that month. */
  readonly start: number
  /** Their recurring revenue now. */
  readonly kept: number
  /** The sum of the decreases of the customers who pay less now, or nothing. */
  readonly lost: number
}

/** Returns the retention since the end of a month, from the movements of one currency. */
export const retentionSince = (movements: readonly Movement[], month: Month): Retention => {
  const customers = new Map<string, { before: number; now: number }>()
  for (const movement of movements) {
    const sums = customers.get(movement.customer_id) ?? { before: 0, now: 0 }
    if (movement.month <= month) sums.before += movement.amount
    sums.now += movement.amount
    customers.set(movement.customer_id, sums)
  }
  const paying = [...customers.values()].filter(({ before }) => before > 0)
  const sumOf = (amountOf: (sums: { before: number; now: number }) => number) =>
    paying.reduce((sum, sums) => sum + amountOf(sums), 0)
  return {
    month,
    start: sumOf(({ before }) => before),
    kept: sumOf(({ now }) => now),
    lost: sumOf(({ before, now }) => Math.max(0, before - now)),
  }
}
