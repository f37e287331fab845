import { customerChanges } from './activity.ts'
import type { Dataset } from './dataset.ts'
import { amountsByPlan } from './lines/active-lines.ts'
import { compareTexts, groupsOf } from './lines/groups.ts'
import { spansAt } from './lines/spans.ts'
import type { ValuedLine } from './lines/valued-lines.ts'
import { billedSpans } from './subscriptions.ts'
import type { CustomerChange, Departure } from './types.ts'

/** Returns whether a customer's lines credit the end of the time for which they charge. */
const isCredited = (lines: readonly ValuedLine[]): boolean => {
  const billed = groupsOf(lines, ({ invoice }) => invoice.subscription_id).flatMap(billedSpans)
  const charges = lines.filter(({ monthly }) => monthly > 0)
  const lastOf = (times: readonly number[]) =>
    times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return lastOf(billed.map(({ to }) => to)) < lastOf(charges.map(({ end }) => end))
}

/** Returns the lost customers, oldest first, with what they had, since when, and why as far as the lines show it. */
export const departuresIn = (dataset: Dataset): Departure[] => {
  const { activeLines, lines, calendar, now } = dataset
  const changesByCustomer = Map.groupBy(customerChanges(dataset), ({ customer_id }) => customer_id)
  const activeByCustomer = Map.groupBy(activeLines, ({ invoice }) => invoice.customer_id)
  const linesByCustomer = Map.groupBy(lines, ({ invoice }) => invoice.customer_id)

  const departureOf = (
    { month, customer_id }: CustomerChange,
    changes: readonly CustomerChange[],
  ): Departure => {
    // A customer is lost only after joining or coming back.
    const joined = changes.findLast((change) => change.month < month)!
    const later = changes.find((change) => change.month > month)
    // The last second of the month, or now.
    const moment = Math.min(calendar.startOf(month + 1) - 1, now)
    const begun = linesByCustomer.get(customer_id)!.filter(({ start }) => start <= moment)
    return {
      month,
      customer_id,
      plans: amountsByPlan(spansAt(activeByCustomer.get(customer_id)!, month - 1)),
      since: joined.month,
      tenure: month - joined.month,
      reason: isCredited(begun) ? 'credited' : 'not renewed',
      back: later?.month ?? null,
    }
  }
  return [...changesByCustomer.values()]
    .flatMap((changes) =>
      changes.filter(({ kind }) => kind === 'lost').map((change) => departureOf(change, changes)),
    )
    .sort((a, b) => a.month - b.month || compareTexts(a.customer_id, b.customer_id))
}
