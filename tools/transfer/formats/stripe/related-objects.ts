import { isRecord } from '../../../../shared/contract/schema.ts'
import { couponsOf } from './discounts.ts'
import { listAt, type StripeObject, valueAt } from './values.ts'

/** Returns whether an object has more members than its type and id. */
const hasContent = ({ object: _, id, ...content }: StripeObject): boolean =>
  id !== undefined && Object.keys(content).length > 0

/** Returns the customer and the coupons that are embedded in an invoice, not only named by their ids. */
export const embeddedIn = (object: StripeObject): StripeObject[] => {
  if (object.object !== 'invoice') return []
  const embedded: StripeObject[] = []
  if (isRecord(object.customer)) embedded.push({ ...object.customer, object: 'customer' })
  for (const coupon of couponsOf(object)) if (isRecord(coupon)) embedded.push({ ...coupon, object: 'coupon' })
  return embedded.filter(hasContent)
}

/** Returns the prices and plans in an object: itself, or the prices of a subscription's items. */
const pricesIn = (object: StripeObject): unknown[] =>
  object.object === 'price' || object.object === 'plan'
    ? [object]
    : listAt(object, 'items.data').map((item) => valueAt(item, 'price', 'plan'))

/**
 * Returns the recurrences of the prices in an object, each with the price's id: `interval`, `interval_count` and `usage_type`.
 */
export const recurrencesIn = (object: StripeObject): [priceId: string, recurrence: StripeObject][] => {
  const found: [string, StripeObject][] = []
  for (const price of pricesIn(object)) {
    // A plan contains these members itself.
    const recurring = valueAt(price, 'recurring') ?? price
    const interval = valueAt(recurring, 'interval')
    if (interval === undefined) continue
    const interval_count = valueAt(recurring, 'interval_count')
    const usage_type = valueAt(recurring, 'usage_type')
    found.push([String(valueAt(price, 'id')), { interval, interval_count, usage_type }])
  }
  return found
}
