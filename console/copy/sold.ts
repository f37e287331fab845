import { recurringLine } from '../../client/analytics/recurring-lines.ts'
import type { Invoice } from './entities.ts'
import { lineWords } from './words.ts'

/** A plan that a subscription was last billed for. */
interface Sold {
  readonly currency: string
  readonly start: number
  /** The plan with its price, such as `Pro, monthly, $49.00`. */
  readonly words: () => string
}

/** Returns the latest billing of each plan, by the product's id and the currency, of each subscription, by its id. */
export const soldBySubscription = (
  invoices: readonly Invoice[],
): ReadonlyMap<string, ReadonlyMap<string, Sold>> => {
  const sold = new Map<string, Map<string, Sold>>()
  for (const invoice of invoices) {
    for (const line of invoice.line_items ?? []) {
      const recurring = recurringLine(line, invoice)
      if (!recurring || (line.amount ?? 0) < 0) continue
      const { plan, currency, start } = recurring
      const plans = sold.get(invoice.subscription_id) ?? new Map<string, Sold>()
      const key = `${plan.key} ${currency}`
      if ((plans.get(key)?.start ?? Number.NEGATIVE_INFINITY) <= start)
        plans.set(key, { currency, start, words: () => lineWords(line, invoice) })
      sold.set(invoice.subscription_id, plans)
    }
  }
  return sold
}
