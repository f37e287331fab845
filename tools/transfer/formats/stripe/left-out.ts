import { isRecord } from '../../../../shared/contract/schema.ts'
import { hasFractionalCoupon, hasUnknownLineDiscount } from './discounts.ts'
import { subscriptionIdOf } from './invoices.ts'
import { hasFractionalQuantity, isMetered } from './lines.ts'
import { isMetadataCut } from './mapping.ts'
import type { MappingContext } from './mapping-context.ts'
import { listAt, type StripeObject, valueAt } from './values.ts'

const hasOtherCurrencies = ({ currency_options }: StripeObject): boolean =>
  isRecord(currency_options) && Object.keys(currency_options).length > 0

const hasShipping = (invoice: StripeObject): boolean =>
  (valueAt(invoice, 'shipping_cost.amount_total', 'shipping_cost.amount_subtotal') ?? 0) !== 0

/** Billing credits, for example, are deducted from a line before its taxes. */
const hasPretaxCredit = (line: StripeObject): boolean =>
  listAt(line, 'pretax_credit_amounts').some(({ type, amount }) => type !== 'discount' && amount !== 0)

const hasLineOfOtherSubscription = (invoice: StripeObject, lines: readonly StripeObject[]): boolean => {
  const subscription = subscriptionIdOf(invoice)
  return lines.some((line) => {
    const lineSubscription = valueAt(line, 'subscription', 'parent.subscription_item_details.subscription')
    return lineSubscription !== undefined && lineSubscription !== subscription
  })
}

const isInclusive = (tax: StripeObject): boolean => tax.inclusive === true || tax.tax_behavior === 'inclusive'

const hasMixedTaxes = (lines: readonly StripeObject[]): boolean => {
  const taxes = lines.flatMap((line) => listAt(line, 'taxes', 'tax_amounts'))
  return taxes.some(isInclusive) && !taxes.every(isInclusive)
}

/** They do not depend on values, so that they can be counted. */
export const leftOutOf = (object: StripeObject, context: MappingContext): string[] => {
  const lines = listAt(object, 'lines.data')
  const isLeftOut: Readonly<Record<string, boolean>> = {
    'its mark as test data (livemode is false)': object.livemode === false,
    'its test clock': valueAt(object, 'test_clock') !== undefined,
    'its amounts in other currencies (currency_options)': hasOtherCurrencies(object),
    'the division of quantities (transform_quantity)': valueAt(object, 'transform_quantity') !== undefined,
    'a discount with a fractional percentage': hasFractionalCoupon(object, context),
    'a line discount that is not expanded': hasUnknownLineDiscount(object),
    'the fractional quantity of a line': lines.some(hasFractionalQuantity),
    'the price of metered usage, which is recognised over its period and does not recur': lines.some((line) =>
      isMetered(line, context),
    ),
    'its shipping costs': hasShipping(object),
    'credits that are deducted from a line before taxes': lines.some(hasPretaxCredit),
    'the other subscription that a line belongs to': hasLineOfOtherSubscription(object, lines),
    'the distinction between inclusive and exclusive taxes': hasMixedTaxes(lines),
    'its metadata, which exceeds the limit': object.object === 'customer' && isMetadataCut(object, context),
  }
  return Object.keys(isLeftOut)
    .filter((kind) => isLeftOut[kind])
    .map((kind) => `${object.object}: ${kind}`)
}
