import { metadataProblem } from '../../../../shared/contract/metadata.ts'
import { isFractionalCoupon } from './discounts.ts'
import { amountFrom, type FieldReaders, idFrom, sameNames, timeFrom, valueFrom } from './field-readers.ts'
import type { MappingContext } from './mapping-context.ts'
import { listAt, refuse, type StripeObject, valueAt } from './values.ts'

/** How the fields of a product are read from a product of Stripe. */
export const productReaders: FieldReaders = sameNames('id', 'name')

/** Returns the amount of a price: with tiers, of the first one. Throws Refusal if it has none that can be recorded. */
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

/** How the fields of a price are read from a price or plan of Stripe. */
export const priceReaders: FieldReaders = {
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

/** Returns whether the metadata of a customer exceeds the limit, and the user accepts that it is left out. */
export const isMetadataCut = ({ metadata }: StripeObject, { cutsMetadata }: MappingContext): boolean =>
  cutsMetadata && metadataProblem(metadata) !== undefined

/** How the fields of a customer are read from a customer of Stripe. */
export const customerReaders: FieldReaders = {
  ...sameNames('id', 'name', 'email', 'description', 'phone'),
  created: timeFrom('created'),
  metadata: (customer, context) =>
    isMetadataCut(customer, context) ? undefined : valueAt(customer, 'metadata'),
}

/** How the fields of a discount are read from a coupon of Stripe. */
export const couponReaders: FieldReaders = {
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
