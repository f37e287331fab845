import { isRecord } from '../../../../shared/contract/schema.ts'
import { couponsOf } from './discounts.ts'
import { listAt, type StripeObject, valueAt } from './values.ts'

/** Not only its type and id. */
const hasContent = ({ object: _, id, ...content }: StripeObject): boolean =>
  id !== undefined && Object.keys(content).length > 0

/** The customer and the coupons of an invoice that are not only named by their ids. */
export const embeddedIn = (object: StripeObject): StripeObject[] => {
  if (object.object !== 'invoice') return []
  const embedded: StripeObject[] = []
  if (isRecord(object.customer)) embedded.push({ ...object.customer, object: 'customer' })
  for (const coupon of couponsOf(object)) if (isRecord(coupon)) embedded.push({ ...coupon, object: 'coupon' })
  return embedded.filter(hasContent)
}

/** An object itself, or the prices of a subscription's items. */
const pricesIn = (object: StripeObject): unknown[] =>
  object.object === 'price' || object.object === 'plan'
    ? [object]
    : listAt(object, 'items.data').map((item) => valueAt(item, 'price', 'plan'))

/** `interval`, `interval_count` and `usage_type` of the prices in an object. */
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
