import { metadataProblem } from '../../../../shared/contract/metadata.ts'
import { invalid, skipped } from '../../row.ts'
import { creditNoteMapping } from './credit-notes.ts'
import { isFractionalCoupon } from './discounts.ts'
import { invoiceReaders } from './invoices.ts'
import {
  amountFrom,
  type FieldReaders,
  idFrom,
  type Mapping,
  type MappingContext,
  readFields,
  timeFrom,
  tryMapping,
  valueFrom,
} from './mapping-context.ts'
import { invoiceReversal, isNotOwed, reversalId, settlementId } from './reversals.ts'
import { listAt, refuse, type StripeObject, valueAt } from './values.ts'

/** The readers of fields that have the same names in Stripe. */
const sameNames = (...names: string[]): FieldReaders =>
  Object.fromEntries(names.map((name) => [name, valueFrom(name)]))

/** With tiers, the amount of the first one. Throws Refusal if the price has none that can be recorded. */
const unitAmount = (price: StripeObject): unknown => {
  const tiers = listAt(price, 'tiers')
  const amount = valueAt(price, 'unit_amount', 'amount') ?? valueAt(tiers[0], 'unit_amount')
  if (amount !== undefined) return amount
  if (price.custom_unit_amount)
    refuse('The price has custom_unit_amount: the customer chooses the amount, so it cannot be recorded.')
  if (price.billing_scheme === 'tiered' && tiers.length === 0)
    refuse('The tiers are not expanded: fetch the prices with expand[]=data.tiers.')
  return refuse('The amount is null or a fraction of a cent, which cannot be recorded.')
}

const priceReaders: FieldReaders = {
  id: valueFrom('id'),
  product_id: idFrom('product'),
  title: valueFrom('nickname'),
  currency: valueFrom('currency'),
  price: (price, context) => amountFrom('amount')({ ...price, amount: unitAmount(price) }, context),
  tiered: ({ billing_scheme }) => billing_scheme === 'tiered',
  // A plan, which is a price in older versions, always recurs.
  type: (price) => (price.object === 'plan' ? 'recurring' : price.type),
  interval: valueFrom('recurring.interval', 'interval'),
  interval_count: valueFrom('recurring.interval_count', 'interval_count'),
}

/** Whether the metadata exceeds the limit, and the user accepts that it is left out. */
export const isMetadataCut = ({ metadata }: StripeObject, { cutsMetadata }: MappingContext): boolean =>
  cutsMetadata && metadataProblem(metadata) !== undefined

const customerReaders: FieldReaders = {
  ...sameNames('id', 'name', 'email', 'description', 'phone'),
  created: timeFrom('created'),
  metadata: (customer, context) =>
    isMetadataCut(customer, context) ? undefined : valueAt(customer, 'metadata'),
}

const couponReaders: FieldReaders = {
  id: valueFrom('id'),
  name: valueFrom('name', 'id'),
  ...sameNames('duration', 'duration_in_months'),
  amount_off: amountFrom('amount_off'),
  percent_off: (coupon) =>
    isFractionalCoupon(coupon)
      ? refuse('percent_off must be a whole number.')
      : valueAt(coupon, 'percent_off'),
  // A percentage has no currency; ISO 4217 has the code XXX for that.
  currency: (coupon) => valueAt(coupon, 'currency') ?? 'XXX',
}

const withReaders =
  (type: string, readers: FieldReaders) =>
  (object: StripeObject, context: MappingContext): Mapping =>
    tryMapping(type, () => readFields(readers, object, context))

const priceMapping = withReaders('price', priceReaders)

const planMapping = (plan: StripeObject, context: MappingContext): Mapping =>
  // A price of a newer version is a plan of an older one, with the same id.
  context.isListed('price', String(plan.id))
    ? { result: skipped('plan: also listed as a price') }
    : priceMapping(plan, context)

const hasNoLines = (invoice: StripeObject): boolean =>
  listAt(invoice, 'lines.data').length === 0 && valueAt(invoice, 'lines.has_more') !== true

const invoiceMapping = (invoice: StripeObject, context: MappingContext): Mapping => {
  const status = String(invoice.status)
  if (status === 'draft') return { result: skipped('invoice: draft') }
  if (hasNoLines(invoice) && (invoice.total ?? 0) === 0)
    return { result: skipped('invoice: total of 0 and no lines') }
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
    precondition: { type: 'invoice', id: reversal, isRecorded: false, otherwise: invalid(problem) },
  }
}

/** By the name of their type in `object`. */
const mappings: ReadonlyMap<string, (object: StripeObject, context: MappingContext) => Mapping> = new Map([
  ['product', withReaders('product', sameNames('id', 'name'))],
  ['price', priceMapping],
  ['plan', planMapping],
  ['customer', withReaders('customer', customerReaders)],
  ['coupon', withReaders('discount', couponReaders)],
  ['invoice', invoiceMapping],
  ['credit_note', creditNoteMapping],
])

/** Accepts objects of any version of Stripe's API. Has no side effects. */
export const mapObject = (object: StripeObject, context: MappingContext): Mapping => {
  const name = object.object
  if (typeof name !== 'string')
    return { result: invalid('An object of Stripe must have "object", such as "customer".') }
  if (name === 'subscription') return { result: skipped('subscription: derived from its invoices') }
  const map = mappings.get(name)
  if (!map) return { result: skipped(`${name}: not recorded by this service`) }
  if (object.deleted !== true) return map(object, context)
  return name === 'customer'
    ? { type: 'customer', data: { id: object.id }, isErased: true }
    : { result: skipped(`${name}: deleted`) }
}
