import { creditNoteMapping } from './credit-notes.ts'
import { type FieldReaders, readFields } from './field-readers.ts'
import { invoiceReaders } from './invoices.ts'
import type { MappingContext } from './mapping-context.ts'
import { type Mapping, tryMapping } from './mapping-result.ts'
import { couponReaders, customerReaders, priceReaders, productReaders } from './object-readers.ts'
import { invoiceReversal, isNotOwed, reversalId, settlementId } from './reversals.ts'
import { listAt, type StripeObject, valueAt } from './values.ts'

/** Returns a function that maps an object to a resource, given by its name, with field readers. */
const withReaders =
  (type: string, readers: FieldReaders) =>
  (object: StripeObject, context: MappingContext): Mapping =>
    tryMapping(type, () => readFields(readers, object, context))

const priceMapping = withReaders('price', priceReaders)

const planMapping = (plan: StripeObject, context: MappingContext): Mapping =>
  // A price of a newer version is a plan of an older one, with the same id.
  context.hasPrice(String(plan.id))
    ? { skipReason: 'plan: also listed as a price' }
    : priceMapping(plan, context)

const hasNoLines = (invoice: StripeObject): boolean =>
  listAt(invoice, 'lines.data').length === 0 && valueAt(invoice, 'lines.has_more') !== true

const invoiceMapping = (invoice: StripeObject, context: MappingContext): Mapping => {
  const status = String(invoice.status)
  if (status === 'draft') return { skipReason: 'invoice: draft' }
  if (hasNoLines(invoice) && (invoice.total ?? 0) === 0)
    return { skipReason: 'invoice: total of 0 and no lines' }
  if (isNotOwed(status)) return invoiceReversal(invoice, status, context)
  const mapping = tryMapping('invoice', () => readFields(invoiceReaders, invoice, context))
  if (valueAt(invoice, 'status_transitions.marked_uncollectible_at') === undefined) return mapping
  const id = String(invoice.id)
  const reversal = reversalId(id)
  const settlement = settlementId(id)
  const problem = `The invoice was recorded as uncollectible (${reversal}) and is ${status} now. Decide which amount is owed again and record it as "${settlement}": later imports then accept the invoice.`
  return {
    ...mapping,
    settlementId: settlement,
    precondition: { type: 'invoice', id: reversal, isRecorded: false, otherwise: { problem } },
  }
}

/** How objects that are not deleted are mapped, by the name of their type in `object`. */
const mappings: ReadonlyMap<string, (object: StripeObject, context: MappingContext) => Mapping> = new Map([
  ['product', withReaders('product', productReaders)],
  ['price', priceMapping],
  ['plan', planMapping],
  ['customer', withReaders('customer', customerReaders)],
  ['coupon', withReaders('discount', couponReaders)],
  ['invoice', invoiceMapping],
  ['credit_note', creditNoteMapping],
])

/** Maps an object of any version of Stripe's API to the body of a create. Has no side effects. */
export const mapObject = (object: StripeObject, context: MappingContext): Mapping => {
  const name = object.object
  if (typeof name !== 'string')
    return { problem: 'An object of Stripe must have "object", such as "customer".' }
  if (name === 'subscription') return { skipReason: 'subscription: derived from its invoices' }
  const map = mappings.get(name)
  if (!map) return { skipReason: `${name}: not recorded by this service` }
  if (object.deleted !== true) return map(object, context)
  return name === 'customer'
    ? { type: 'customer', body: { id: object.id }, isErased: true }
    : { skipReason: `${name}: deleted` }
}
