import { type MappingContext, readAll } from './fields.ts'
import { invoiceTable } from './invoices.ts'
import { type Mapping, mapped } from './mapping-result.ts'
import { type Json, negated, refuse, timeOf, valueAt } from './values.ts'

/** How an invoice that was recorded is taken back. */

/** Returns whether an invoice with this status is no revenue, although it may have been recorded as such. */
export const isNotOwed = (status: string): boolean => status === 'void' || status === 'uncollectible'

/** Returns a body with the opposite amounts, under an id of its own. */
export const reversed = (body: Json, id: string, created: unknown): Json => ({
  ...body,
  id,
  total: negated(body.total),
  created,
  line_items: (body.line_items as Json[]).map((line) => ({
    ...line,
    amount: negated(line.amount),
    discount_amount: negated(line.discount_amount),
    tax_amount: negated(line.tax_amount),
  })),
})

const isPartlySettled = (invoice: Json): boolean =>
  ['amount_paid', 'pre_payment_credit_notes_amount', 'post_payment_credit_notes_amount'].some(
    (field) => (valueAt(invoice, field) ?? 0) !== 0,
  )

/** Returns the id of the invoice with which the user settles what no rule can. */
export const settledBy = (id: string): string => `${id}:settled`

/** Maps an invoice that is no longer owed to its reversal, for which it must have been recorded while it was. */
export const reversalOf = (invoice: Json, status: string, context: MappingContext): Mapping => {
  const id = String(invoice.id)
  const precondition = { type: 'invoice', id, isRecorded: true, otherwise: { skip: `invoice: ${status}` } }
  const found = mapped('invoice', () => {
    if (isPartlySettled(invoice))
      refuse(
        `An invoice that was recorded is ${status} now, and partly paid or credited. Decide what is no longer owed and record it as "${settledBy(id)}", which later imports accept.`,
      )
    // An invoice that is void after it was uncollectible keeps the time of its first reversal.
    const time =
      valueAt(invoice, 'status_transitions.marked_uncollectible_at', 'status_transitions.voided_at') ??
      refuse(
        'An invoice that was recorded is void or uncollectible now, and status_transitions does not say since when.',
      )
    return reversed(readAll(invoiceTable, invoice, context), `${id}:void`, timeOf(time))
  })
  const body = 'body' in found ? found.body : { ...invoice, id: `${id}:void` }
  const problem = 'problem' in found ? { problem: found.problem } : {}
  return { type: 'invoice', body, isReversal: true, precondition, settledBy: settledBy(id), ...problem }
}
