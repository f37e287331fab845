import { BillingConventions } from '../../client/analytics/lines/billing-conventions.ts'
import { currencyOf, planOf } from '../../client/analytics/lines/line-properties.ts'
import { type RecurringLine, recurringLine } from '../../client/analytics/lines/recurring-lines.ts'
import type { Invoice } from './entities.ts'
import { lineText } from './invoice-text.ts'

export interface BilledPlan {
  readonly currency: string
  /** When the period of the latest billing begins, in seconds. */
  readonly start: number
  readonly priceId: string | undefined
  /** The plan with its price, such as `6 × Pro, monthly, $49.00 each`. It is not computed before it is needed. */
  readonly label: () => string
}

/** By the id of the subscription, and by the product's id and the currency with a space between them. */
export const billedPlansOf = (
  invoices: readonly Invoice[],
): ReadonlyMap<string, ReadonlyMap<string, BilledPlan>> => {
  const conventions = new BillingConventions(invoices)
  const subscriptions = new Map<string, Map<string, BilledPlan>>()
  for (const invoice of invoices) {
    for (const line of invoice.line_items ?? []) {
      const recurring = recurringLine(line, invoice, conventions)
      if (!recurring || (line.amount ?? 0) < 0) continue
      const { start } = recurring
      const plan = planOf(line)
      const currency = currencyOf(line, invoice)
      const plans = subscriptions.get(invoice.subscription_id) ?? new Map<string, BilledPlan>()
      const key = `${plan.key} ${currency}`
      const latestStart = plans.get(key)?.start ?? Number.NEGATIVE_INFINITY
      if (latestStart <= start)
        plans.set(key, {
          currency,
          start,
          priceId: line.price?.id,
          label: () => lineText(line, invoice, conventions),
        })
      subscriptions.set(invoice.subscription_id, plans)
    }
  }
  return subscriptions
}

/**
 * In seconds: the first charge of the current plans after the last charge of another plan; undefined if the invoices charge no
 * other plan, or if there is no current plan.
 */
export const planStart = (
  invoices: readonly Invoice[],
  currentPlanKeys: ReadonlySet<string>,
): number | undefined => {
  const conventions = new BillingConventions(invoices)
  const charges = invoices.flatMap((invoice) =>
    (invoice.line_items ?? [])
      .filter(({ amount }) => (amount ?? 0) >= 0)
      .flatMap((line) => recurringLine(line, invoice, conventions) ?? []),
  )
  const isCurrent = ({ line }: RecurringLine): boolean => currentPlanKeys.has(planOf(line).key)
  const others = charges.filter((charge) => !isCurrent(charge))
  if (others.length === 0) return undefined
  const lastOther = Math.max(...others.map(({ start }) => start))
  const starts = charges
    .filter((charge) => isCurrent(charge) && charge.start > lastOther)
    .map(({ start }) => start)
  return starts.length === 0 ? undefined : Math.min(...starts)
}
