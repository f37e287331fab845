import { type MappingContext, money, readAll, sum } from './fields.ts'
import { periodOf, subscriptionOf } from './invoices.ts'
import { hasFractionalQuantity, lineTable } from './lines.ts'
import { type Mapping, mapped } from './mapping-result.ts'
import { isNotOwed, reversed } from './reversals.ts'
import { idAt, type Json, listAt, negated, refuse, timeOf, valueAt } from './values.ts'

/** Returns the line of an invoice that a line of its credit note credits; undefined if there is none. */
const creditedLine = (line: Json, invoice: Json): Json | undefined =>
  listAt(invoice, 'lines.data').find(({ id: lineId }) => lineId === line.invoice_line_item)

const creditLine = (line: Json, note: Json, invoice: Json, context: MappingContext): Json => {
  const own = { ...line, currency: note.currency }
  const amounts = {
    id: line.id,
    amount: negated(money('amount')(own, context)),
    quantity: hasFractionalQuantity(line) ? undefined : valueAt(line, 'quantity'),
    discount_amount: negated(sum('discount_amounts')(own, context) ?? money('discount_amount')(own, context)),
    tax_amount: negated(sum('taxes', 'tax_amounts')(own, context)),
  }
  const credited = creditedLine(line, invoice)
  if (!credited) return { ...amounts, type: 'one_time' }
  return { ...readAll(lineTable, credited, context), ...amounts }
}

/** Returns the lines of a credit note; without any, its total as one line. */
const creditLines = (note: Json, invoice: Json, context: MappingContext): Json[] => {
  if (valueAt(note, 'lines.has_more') === true)
    refuse('lines.has_more is true: lines of the credit note are missing. Fetch all of them.')
  const lines = listAt(note, 'lines.data')
  if (lines.length > 0) return lines.map((line) => creditLine(line, note, invoice, context))
  const tax = sum('total_taxes', 'tax_amounts')(note, context)
  const amount = negated(money('total', 'amount')(note, context))
  return [{ id: note.id, amount, tax_amount: negated(tax), type: 'one_time' }]
}

const creditNoteBody = (note: Json, invoice: Json, context: MappingContext): Json => ({
  id: note.id,
  total: negated(money('total', 'amount')(note, context)),
  created: timeOf(valueAt(note, 'effective_at', 'created')),
  period_start: periodOf(invoice, 'start', context),
  period_end: periodOf(invoice, 'end', context),
  currency: note.currency,
  customer_id: idAt(note, 'customer') ?? idAt(invoice, 'customer'),
  subscription_id: subscriptionOf(invoice, context),
  line_items: creditLines(note, invoice, context),
})

/** Maps a credit note to an invoice with amounts below 0, under its id. If it is void, maps it to its reversal. */
export const creditNoteMapping = (note: Json, context: MappingContext): Mapping => {
  const type = 'invoice'
  const id = String(note.id)
  const invoiceId = String(idAt(note, 'invoice'))
  const found = mapped(type, () => {
    const invoice =
      context.invoice(invoiceId) ??
      refuse('The invoice of the credit note is unknown: import it in the same command.')
    return creditNoteBody(note, invoice, context)
  })
  if ('problem' in found && note.status !== 'void') return found
  const body = 'body' in found ? found.body : { ...note, line_items: [] }
  const problem = 'problem' in found ? { problem: found.problem } : {}
  if (note.status === 'void') {
    const precondition = { type, id, isRecorded: true, otherwise: { skip: 'credit_note: void' } }
    const reversal = reversed(body, `${id}:void`, timeOf(note.voided_at))
    return { type, body: reversal, isReversal: true, precondition, ...problem }
  }
  const status = String(context.invoice(invoiceId)?.status)
  const otherwise = isNotOwed(status)
    ? { skip: `credit_note: of an invoice that is ${status}` }
    : { problem: `The invoice of the credit note, "${invoiceId}", is not recorded.` }
  return { type, body, precondition: { type, id: invoiceId, isRecorded: true, otherwise } }
}
