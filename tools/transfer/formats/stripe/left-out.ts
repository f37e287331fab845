import { isRecord } from '../../../../shared/contract/schema.ts'
import { couponsOf, hasUnknownLineDiscount } from './discounts.ts'
import type { MappingContext } from './fields.ts'
import { hasFractionalQuantity, isMetered } from './lines.ts'
import { isCut } from './mapping.ts'
import { idAt, type Json, listAt, valueAt } from './values.ts'

const subscriptionOfLine = (line: Json): unknown =>
  valueAt(line, 'subscription', 'parent.subscription_item_details.subscription')

const isInclusive = (tax: Json): boolean => tax.inclusive === true || tax.tax_behavior === 'inclusive'

const hasShipping = (invoice: Json): boolean =>
  (valueAt(invoice, 'shipping_cost.amount_total', 'shipping_cost.amount_subtotal') ?? 0) !== 0

/** Returns whether something other than a discount is taken off a line before its taxes, such as billing credits. */
const hasPretaxCredit = (line: Json): boolean =>
  listAt(line, 'pretax_credit_amounts').some(({ type, amount }) => type !== 'discount' && amount !== 0)

/** Returns what is omitted from an object, in words that do not depend on the object, so that they can be counted. */
export const leftOutOf = (object: Json, context: MappingContext): string[] => {
  const { currency_options: otherCurrencies } = object
  const lines = listAt(object, 'lines.data')
  const subscription = idAt(object, 'subscription', 'parent.subscription_details.subscription')
  const taxes = lines.flatMap((line) => listAt(line, 'taxes', 'tax_amounts'))
  const found = {
    'that it is test data (livemode is false)': object.livemode === false,
    'its test clock': valueAt(object, 'test_clock') !== undefined,
    'its amounts in other currencies (currency_options)':
      isRecord(otherCurrencies) && Object.keys(otherCurrencies).length > 0,
    'that quantities are divided (transform_quantity)': valueAt(object, 'transform_quantity') !== undefined,
    'a discount of a fraction of a percent': couponsOf(object).some((each) =>
      context.isFractional(String(valueAt(each, 'id') ?? each)),
    ),
    'a discount of a line, which is not expanded': hasUnknownLineDiscount(object),
    'the quantity of a line, which is a fraction': lines.some(hasFractionalQuantity),
    'the price of metered usage, which is recognised over its period and does not recur': lines.some((line) =>
      isMetered(line, context),
    ),
    'its shipping costs': hasShipping(object),
    'credits that are taken off a line before taxes': lines.some(hasPretaxCredit),
    'that a line belongs to another subscription': lines.some(
      (line) => (subscriptionOfLine(line) ?? subscription) !== subscription,
    ),
    'that some of its taxes are within the amounts and some on top':
      taxes.some(isInclusive) && !taxes.every(isInclusive),
    'its metadata, which is over the limit': object.object === 'customer' && isCut(object, context),
  }
  return Object.entries(found)
    .filter(([, isFound]) => isFound)
    .map(([what]) => `${object.object}: ${what}`)
}
