import { metadataProblem } from '../../../../shared/contract/metadata.ts'
import { creditNoteMapping } from './credit-notes.ts'
import { id, type MappingContext, money, readAll, same, type Table, time, value } from './fields.ts'
import { invoiceTable } from './invoices.ts'
import { type Mapping, mapped } from './mapping-result.ts'
import { isNotOwed, reversalOf, settledBy } from './reversals.ts'
import { type Json, listAt, refuse, valueAt } from './values.ts'

/** Maps Stripe's objects, of any version of its API, to bodies of creates. Everything here is pure. */

interface Kind {
  readonly type: string
  readonly table: Table
}

const unitAmount = (price: Json): unknown => {
  const amount = valueAt(price, 'unit_amount', 'amount') ?? valueAt(listAt(price, 'tiers')[0], 'unit_amount')
  if (amount !== undefined) return amount
  if (price.custom_unit_amount) refuse('custom_unit_amount: the customer chooses, so there is no amount.')
  if (price.billing_scheme === 'tiered' && listAt(price, 'tiers').length === 0)
    refuse('The tiers are not expanded: fetch the prices with expand[]=data.tiers.')
  return refuse('The amount is null or a fraction of a cent, which cannot be recorded.')
}

/** Returns whether an object is a coupon whose percentage is not an integer, such as 12.5. */
export const couponIsFractional = (object: Json): boolean =>
  object.object === 'coupon' && !Number.isInteger(valueAt(object, 'percent_off') ?? 0)

/** Returns whether the metadata of an object is over the limit and to be omitted. */
export const isCut = ({ metadata }: Json, { cutsMetadata }: MappingContext): boolean =>
  cutsMetadata && metadataProblem(metadata) !== undefined

const wholePercent = (coupon: Json): unknown =>
  couponIsFractional(coupon) ? refuse('percent_off must be a whole number.') : valueAt(coupon, 'percent_off')

/** How our fields are read from Stripe's objects, by the name of their type in `object`. */
const tables = {
  product: { type: 'product', table: same('id', 'name') },
  price: {
    type: 'price',
    table: {
      id: value('id'),
      product_id: id('product'),
      title: value('nickname'),
      currency: value('currency'),
      price: (price, context) => money('amount')({ ...price, amount: unitAmount(price) }, context),
      tiered: ({ billing_scheme }) => billing_scheme === 'tiered',
      // A plan, which is a price in older versions, always recurs.
      type: (price) => (price.object === 'plan' ? 'recurring' : price.type),
      interval: value('recurring.interval', 'interval'),
      interval_count: value('recurring.interval_count', 'interval_count'),
    },
  },
  customer: {
    type: 'customer',
    table: {
      ...same('id', 'name', 'email', 'description', 'phone'),
      created: time('created'),
      metadata: (object, context) => (isCut(object, context) ? undefined : valueAt(object, 'metadata')),
    },
  },
  coupon: {
    type: 'discount',
    table: {
      id: value('id'),
      name: value('name', 'id'),
      ...same('duration', 'duration_in_months'),
      amount_off: money('amount_off'),
      percent_off: wholePercent,
      // A percentage has no currency, for which the code of ISO 4217 is XXX.
      currency: (coupon) => valueAt(coupon, 'currency') ?? 'XXX',
    },
  },
  invoice: { type: 'invoice', table: invoiceTable },
} satisfies Readonly<Record<string, Kind>>
const kinds: ReadonlyMap<string, Kind> = new Map(Object.entries({ ...tables, plan: tables.price }))

/** Maps an invoice. */
const invoiceMapping = (invoice: Json, context: MappingContext): Mapping => {
  const status = String(invoice.status)
  if (status === 'draft') return { skip: 'invoice: draft' }
  const isEmpty = listAt(invoice, 'lines.data').length === 0 && valueAt(invoice, 'lines.has_more') !== true
  if (isEmpty && (invoice.total ?? 0) === 0) return { skip: 'invoice: of 0, without lines' }
  if (isNotOwed(status)) return reversalOf(invoice, status, context)
  const found = mapped('invoice', () => readAll(invoiceTable, invoice, context))
  if (valueAt(invoice, 'status_transitions.marked_uncollectible_at') === undefined) return found
  const id = String(invoice.id)
  const reversal = `${id}:void`
  const problem = `The invoice was recorded as uncollectible (${reversal}) and is ${status} now. Decide what is owed again and record it as "${settledBy(id)}", which later imports accept.`
  return {
    ...found,
    settledBy: settledBy(id),
    precondition: { type: 'invoice', id: reversal, isRecorded: false, otherwise: { problem } },
  }
}

/** Maps an object. */
export const mapObject = (object: Json, context: MappingContext): Mapping => {
  const name = object.object
  if (typeof name !== 'string')
    return { problem: 'An object of Stripe must have "object", such as "customer".' }
  if (name === 'subscription') return { skip: 'subscription: derived from its invoices' }
  const kind = kinds.get(name)
  if (!kind && name !== 'credit_note') return { skip: `${name}: not recorded by this service` }
  if (object.deleted === true)
    return name === 'customer'
      ? { type: name, body: { id: object.id }, isErased: true }
      : { skip: `${name}: deleted` }
  if (!kind) return creditNoteMapping(object, context)
  // A price of a newer version is a plan of an older one, under the same id.
  if (name === 'plan' && context.hasPrice(String(object.id))) return { skip: 'plan: also listed as a price' }
  if (name === 'invoice') return invoiceMapping(object, context)
  return mapped(kind.type, () => readAll(kind.table, object, context))
}
