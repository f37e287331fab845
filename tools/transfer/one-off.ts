import { invoice } from '../../shared/resources/invoice.ts'
import { jsonIn, type Row, rowOf } from './row.ts'

/** Invoices that belong to no subscription. */

const ADVICE = 'If it belongs to none, --one-off records it under the subscription "one-off:CUSTOMER".'
const RECURS = 'An invoice without subscription_id must have no recurring line: name its subscription.'

/** Matches a body that names a subscription. A text inside a string has escaped quotes. */
const NAMED = /"subscription_id"\s*:\s*["\d-]/
const NAMED_NULL = /"subscription_id"\s*:\s*null/

/**
 * Returns an invoice's row with the subscription of its customer's one-off invoices if it names none and `isAllowed`,
 * otherwise with advice. Without a recurring line, such a subscription counts nowhere as active.
 */
export const withOneOffs = (row: Row, isAllowed: boolean): Row => {
  if (row.type !== invoice.name || row.problem !== undefined || NAMED.test(row.body)) return row
  if (!isAllowed) return { ...row, hint: ADVICE }
  const { customer_id, line_items } = Object(jsonIn(row.body)) as Record<string, unknown>
  const lines: unknown[] = Array.isArray(line_items) ? line_items : []
  if (lines.some((line) => Object(line).type === 'recurring')) return { ...row, problem: RECURS }
  const member = `"subscription_id":${JSON.stringify(`one-off:${customer_id}`)}`
  // The rest of the body stays as it is in the file: parsing would round large numbers.
  const body = NAMED_NULL.test(row.body)
    ? row.body.replace(NAMED_NULL, () => member)
    : row.body.replace('{', () => `{${member},`)
  return { ...row, ...rowOf(row, row.type, body) }
}
