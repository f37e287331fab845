import { invalid, skipped } from '../../row.ts'
import { endOf, invoicePeriodOf, startOf, subscriptionOf } from './invoices.ts'
import { integerQuantity, lineReaders } from './lines.ts'
import {
  amountFrom,
  type Mapping,
  type MappingContext,
  readFields,
  sumFrom,
  tryMapping,
} from './mapping-context.ts'
import { isNotOwed, reversalOf } from './reversals.ts'
import { idAt, isoTime, listAt, negated, refuse, type StripeObject, secondsOf, valueAt } from './values.ts'

const dateOf = (note: StripeObject): unknown => secondsOf(valueAt(note, 'effective_at', 'created'))

const invoiceIdOf = (note: StripeObject): string => String(idAt(note, 'invoice'))

const creditedLine = (line: StripeObject, invoice: StripeObject): StripeObject | undefined =>
  listAt(invoice, 'lines.data').find(({ id }) => id === line.invoice_line_item)

/** The rest of its period, once, if the date is within the period and the price is known; otherwise all of it. */
const creditedFields = (credited: StripeObject, date: unknown, context: MappingContext): StripeObject => {
  const { interval, interval_count, ...fields } = readFields(lineReaders, credited, context)
  const isWithin = startOf(credited) < Number(date) && Number(date) < endOf(credited)
  if (!isWithin || fields.price_id === undefined) return { ...fields, interval, interval_count }
  return { ...fields, period_start: isoTime(date), type: 'one_time' }
}

/** With the period and price of the line that it credits. */
const creditLine = (
  line: StripeObject,
  note: StripeObject,
  invoice: StripeObject,
  context: MappingContext,
): StripeObject => {
  const withCurrency = { ...line, currency: note.currency }
  const discount =
    sumFrom('discount_amounts')(withCurrency, context) ?? amountFrom('discount_amount')(withCurrency, context)
  const fields = {
    id: line.id,
    amount: negated(amountFrom('amount')(withCurrency, context)),
    quantity: integerQuantity(line),
    discount_amount: negated(discount),
    tax_amount: negated(sumFrom('taxes', 'tax_amounts')(withCurrency, context)),
  }
  const credited = creditedLine(line, invoice)
  if (!credited) return { ...fields, type: 'one_time' }
  return { ...creditedFields(credited, dateOf(note), context), ...fields }
}

const totalOf = (note: StripeObject, context: MappingContext): unknown =>
  negated(amountFrom('total', 'amount')(note, context))

/** A credit note without lines has one line item, its total. */
const creditLines = (note: StripeObject, invoice: StripeObject, context: MappingContext): StripeObject[] => {
  if (valueAt(note, 'lines.has_more') === true)
    refuse('lines.has_more is true: lines of the credit note are missing. Fetch all of them.')
  const lines = listAt(note, 'lines.data')
  if (lines.length > 0) return lines.map((line) => creditLine(line, note, invoice, context))
  const tax = negated(sumFrom('total_taxes', 'tax_amounts')(note, context))
  return [{ id: note.id, amount: totalOf(note, context), tax_amount: tax, type: 'one_time' }]
}

/** Throws Refusal if the import does not contain the invoice of the note. */
const creditNoteBody = (note: StripeObject, context: MappingContext): StripeObject => {
  const invoice =
    context.invoice(invoiceIdOf(note)) ??
    refuse('The invoice of the credit note is unknown: import it in the same command.')
  const { start, end } = invoicePeriodOf(invoice, context)
  return {
    id: note.id,
    total: totalOf(note, context),
    created: isoTime(dateOf(note)),
    period_start: start,
    period_end: end,
    currency: note.currency,
    customer_id: idAt(note, 'customer') ?? idAt(invoice, 'customer'),
    subscription_id: subscriptionOf(invoice, context),
    line_items: creditLines(note, invoice, context),
  }
}

/** An invoice with negative amounts, under its own id, or for a void credit note the reversal of that invoice. */
export const creditNoteMapping = (note: StripeObject, context: MappingContext): Mapping => {
  if (note.status === 'void')
    return reversalOf(note, 'credit_note: void', () => ({
      body: creditNoteBody(note, context),
      seconds: note.voided_at,
    }))
  const mapping = tryMapping('invoice', () => creditNoteBody(note, context))
  if (mapping.result) return mapping
  const id = invoiceIdOf(note)
  const status = String(context.invoice(id)?.status)
  const otherwise = isNotOwed(status)
    ? skipped(`credit_note: its invoice is ${status}`)
    : invalid(`The invoice of the credit note, "${id}", is not recorded.`)
  return { ...mapping, precondition: { type: 'invoice', id, isRecorded: true, otherwise } }
}
