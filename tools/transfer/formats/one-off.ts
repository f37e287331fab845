import { invoice } from '../../../shared/resources/invoice.ts'
import { jsonIn, type Row, rowOf } from '../row.ts'

/** Invoices that do not belong to a subscription. */

const ADVICE = 'If it belongs to none, --one-off records it under the subscription "one-off:CUSTOMER".'
const RECURS = 'An invoice without subscription_id must have no recurring line: name its subscription.'

/** Matches a body with a subscription. Inside of a string, the quotes would be escaped. */
const NAMED = /"subscription_id"\s*:\s*["\d-]/
const NAMED_NULL = /"subscription_id"\s*:\s*null/

/**
 * Returns the row of an invoice without a subscription with that of its customer's one-off invoices if `isAllowed`, otherwise
 * with advice. It must have no recurring line, so that such a subscription never counts as active.
 */
export const withOneOffs = (row: Row, isAllowed: boolean): Row => {
  if (row.type !== invoice.name || row.problem !== undefined || NAMED.test(row.body)) return row
  if (!isAllowed) return { ...row, hints: [...(row.hints ?? []), ADVICE] }
  const { customer_id, line_items } = Object(jsonIn(row.body)) as Record<string, unknown>
  const lines: unknown[] = Array.isArray(line_items) ? line_items : []
  if (lines.some((line) => Object(line).type === 'recurring')) return { ...row, problem: RECURS }
  const member = `"subscription_id":${JSON.stringify(`one-off:${customer_id}`)}`
  // The rest of the body is not parsed, which would round large numbers.
  const body = NAMED_NULL.test(row.body)
    ? row.body.replace(NAMED_NULL, () => member)
    : row.body.replace('{', () => `{${member},`)
  return { ...row, ...rowOf(row, row.type, body) }
}
