import type { Dataset } from './dataset.ts'
import { groupsOf, sumOf } from './lines/groups.ts'
import { movementsIn } from './movements.ts'
import { quotient } from './rates.ts'
import type { Retention } from './types.ts'

/** Returns what became of the customers who had recurring revenue some months ago, for each currency. */
export const retentionIn = (dataset: Dataset, { months = 12 }: { readonly months?: number }): Retention[] => {
  const since = dataset.currentMonth - months
  const movementsByCurrency = Map.groupBy(movementsIn(dataset), ({ currency }) => currency)
  return dataset.currencies.map((currency) => {
    let start = 0
    let kept = 0
    let lost = 0
    const ofCurrency = movementsByCurrency.get(currency) ?? []
    for (const movements of groupsOf(ofCurrency, ({ customer_id }) => customer_id)) {
      const before = sumOf(movements, ({ month, amount }) => (month <= since ? amount : 0))
      const now = sumOf(movements, ({ amount }) => amount)
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
