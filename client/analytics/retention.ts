import type { Dataset } from './dataset.ts'
import { groupsOf } from './lines/groups.ts'
import type { Month } from './lines/invoice.ts'
import { movementsIn } from './movements.ts'
import { quotient } from './rates.ts'
import type { Movement, Retention } from './types.ts'

/** The recurring revenue of a customer at the end of the earlier month, and now. */
interface Revenue {
  before: number
  now: number
}

const revenueByCustomer = (movements: readonly Movement[], since: Month): Revenue[] => {
  const customers = new Map<string, Revenue>()
  for (const { customer_id, month, amount } of movements) {
    const revenue = customers.get(customer_id) ?? { before: 0, now: 0 }
    if (month <= since) revenue.before += amount
    revenue.now += amount
    customers.set(customer_id, revenue)
  }
  return [...customers.values()]
}

/** Returns what became of the customers who had recurring revenue some months ago, for each currency. */
export const retentionIn = (dataset: Dataset, { months = 12 }: { readonly months?: number }): Retention[] => {
  const since = dataset.currentMonth - months
  const movementsByCurrency = groupsOf(movementsIn(dataset), ({ currency }) => currency)
  return dataset.currencies.map((currency) => {
    const movements = movementsByCurrency.find(([first]) => first!.currency === currency) ?? []
    let start = 0
    let kept = 0
    let lost = 0
    for (const { before, now } of revenueByCustomer(movements, since)) {
      if (before <= 0) continue
      start += before
      kept += now
      lost += Math.max(0, before - now)
    }
    return {
      currency,
      since,
      start,
      kept,
      lost,
      netRetention: quotient(kept, start),
      grossChurn: quotient(lost, start),
    }
  })
}
