import { isRecord } from '../../../shared/contract/schema.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import type { Draft } from '../draft.ts'
import { toDouble } from '../lossless-json.ts'

const ADVICE =
  'If the invoice belongs to no subscription, --one-off records it under the subscription "one-off:CUSTOMER".'
const HAS_RECURRING_LINE =
  'An invoice without subscription_id must not have a recurring line: add the id of its subscription.'

const isRecurring = (line: unknown): boolean => isRecord(line) && line.type === 'recurring'

/**
 * Returns the row of an invoice that has no subscription with the subscription of its customer's one-off invoices, or with advice if
 * the user does not allow that. The invoice must not have a recurring line, so that such a subscription never counts as active.
 * Returns any other row unchanged.
 */
export const withOneOffSubscription = (draft: Draft, isAllowed: boolean): Draft => {
  const { type, data, problem, hints = [] } = draft
  if (type !== invoice.name || problem !== undefined || !isRecord(data)) return draft
  const { subscription_id, customer_id, line_items } = data
  if (subscription_id !== undefined && subscription_id !== null) return draft
  if (!isAllowed) return { ...draft, hints: [...hints, ADVICE] }
  if (Array.isArray(line_items) && line_items.some(isRecurring))
    return { ...draft, problem: HAS_RECURRING_LINE }
  return { ...draft, data: { ...data, subscription_id: `one-off:${toDouble(customer_id)}` } }
}
