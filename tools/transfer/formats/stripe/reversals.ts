import { skipped } from '../../row.ts'
import { invoiceReaders } from './invoices.ts'
import { type Mapping, type MappingContext, readFields, tryMapping } from './mapping-context.ts'
import { isoTime, negated, refuse, type StripeObject, valueAt } from './values.ts'

/** It may have been recorded when it had another status. */
export const isNotOwed = (status: string): boolean => status === 'void' || status === 'uncollectible'

export const reversalId = (id: string): string => `${id}:void`

/** The invoice with which the user settles a case that no rule can decide. */
export const settlementId = (id: string): string => `${id}:settled`

const reversedLine = (line: StripeObject): StripeObject => ({
  ...line,
  amount: negated(line.amount),
  discount_amount: negated(line.discount_amount),
  tax_amount: negated(line.tax_amount),
})

/** `seconds` is the time of the reversal. */
const reversedBody = (body: StripeObject, seconds: unknown): StripeObject => ({
  ...body,
  id: reversalId(String(body.id)),
  total: negated(body.total),
  created: isoTime(seconds),
  line_items: (body.line_items as StripeObject[]).map(reversedLine),
})

/**
 * Maps an object to the reversal of the invoice that was recorded from it. If none was recorded, the row is skipped. `map` returns
 * the body of that invoice and the time of the reversal, in seconds.
 */
export const reversalOf = (
  object: StripeObject,
  skipReason: string,
  map: () => { readonly body: StripeObject; readonly seconds: unknown },
): Mapping => {
  const id = String(object.id)
  const mapping = tryMapping('invoice', () => {
    const { body, seconds } = map()
    return reversedBody(body, seconds)
  })
  return {
    // If the object cannot be mapped, the row is not sent, and only the id of its body is reported.
    data: { ...object, id: reversalId(id) },
    ...mapping,
    isReversal: true,
    precondition: { type: 'invoice', id, isRecorded: true, otherwise: skipped(skipReason) },
  }
}

const settledAmounts = ['amount_paid', 'pre_payment_credit_notes_amount', 'post_payment_credit_notes_amount']

const isPartlySettled = (invoice: StripeObject): boolean =>
  settledAmounts.some((field) => (valueAt(invoice, field) ?? 0) !== 0)

export const invoiceReversal = (invoice: StripeObject, status: string, context: MappingContext): Mapping => {
  const settlement = settlementId(String(invoice.id))
  const reversal = reversalOf(invoice, `invoice: ${status}`, () => {
    if (isPartlySettled(invoice))
      refuse(
        `An invoice that was recorded is now ${status}, and partly paid or credited. Decide which amount is no longer owed and record it as "${settlement}": later imports then accept the invoice.`,
      )
    // An invoice that becomes void after it was uncollectible keeps the time of its first reversal.
    const seconds =
      valueAt(invoice, 'status_transitions.marked_uncollectible_at', 'status_transitions.voided_at') ??
      refuse(
        'An invoice that was recorded is now void or uncollectible, and status_transitions does not contain the time.',
      )
    return { body: readFields(invoiceReaders, invoice, context), seconds }
  })
  return { ...reversal, settlementId: settlement }
}
