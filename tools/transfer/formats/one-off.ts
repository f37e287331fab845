import { isRecord } from '../../../shared/contract/schema.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import { plainNumber } from '../exact-json.ts'
import type { Draft } from '../row.ts'

/** Invoices that do not belong to a subscription. */

const ADVICE = 'If it belongs to none, --one-off records it under the subscription "one-off:CUSTOMER".'
const RECURS = 'An invoice without subscription_id must have no recurring line: name its subscription.'

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const isRecurring = (line: unknown): boolean => isRecord(line) && line.type === 'recurring'

/**
 * Returns an invoice without a subscription with that of its customer's one-off invoices if `isAllowed`, otherwise with advice. It
 * must have no recurring line, so that such a subscription never counts as active.
 */
export const withOneOff = (draft: Draft, isAllowed: boolean): Draft => {
  const { type, data, problem } = draft
  if (type !== invoice.name || problem !== undefined || !isRecord(data)) return draft
  const { subscription_id, customer_id, line_items } = data
  if (!isAbsent(subscription_id)) return draft
  if (!isAllowed) return { ...draft, hints: [...(draft.hints ?? []), ADVICE] }
  if (Array.isArray(line_items) && line_items.some(isRecurring)) return { ...draft, problem: RECURS }
  return { ...draft, data: { ...data, subscription_id: `one-off:${plainNumber(customer_id)}` } }
}
