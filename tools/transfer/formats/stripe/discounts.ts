import type { MappingContext } from './mapping-context.ts'
import { listAt, refuse, type StripeObject, valueAt } from './values.ts'

/** The paths of a discount's coupon in the versions of the API. */
const couponPaths = ['source.coupon', 'coupon']

const couponOf = (discount: unknown): unknown => valueAt(discount, ...couponPaths)

/** Returns whether a discount is an object that contains its coupon. */
const isExpanded = (discount: unknown): boolean => couponOf(discount) !== undefined

/** Returns the id of a discount or coupon, which may be an id or an object. */
const idOf = (object: unknown): unknown => valueAt(object, 'id') ?? object

/** Returns the discounts of an invoice itself, as ids or objects. */
const invoiceDiscounts = (invoice: StripeObject): unknown[] => {
  const { discount } = invoice
  const discounts: unknown[] = listAt(invoice, 'discounts')
  if (discounts.length === 0) return discount ? [discount] : []
  // Older versions expand `discount`, but not `discounts`.
  return discounts.map((listed) => (listed === valueAt(discount, 'id') ? discount : listed))
}

/** Returns all discounts of a line, as ids or objects. */
const discountsOfLine = (line: StripeObject): unknown[] => [
  ...listAt(line, 'discount_amounts').map(({ discount }) => discount),
  ...listAt(line, 'discounts'),
]

/**
 * Returns the discounts of an invoice's lines that are not discounts of the invoice itself, as objects where they are expanded.
 */
const lineDiscounts = (invoice: StripeObject): unknown[] => {
  const invoiceIds = new Set(invoiceDiscounts(invoice).map(idOf))
  const byId = new Map<unknown, unknown>()
  for (const discount of listAt(invoice, 'lines.data').flatMap(discountsOfLine)) {
    const id = idOf(discount)
    if (id === undefined || invoiceIds.has(id)) continue
    const previous = byId.get(id)
    if (previous === undefined || !isExpanded(previous)) byId.set(id, discount)
  }
  return [...byId.values()]
}

/** Returns whether an invoice has a line discount that is not expanded, so that its coupon is unknown. */
export const hasUnknownLineDiscount = (invoice: StripeObject): boolean =>
  !lineDiscounts(invoice).every(isExpanded)

/**
 * Returns the coupons of an invoice and its lines, as ids or objects. A discount of the invoice that is not expanded yields
 * undefined; a line discount that is not expanded is left out.
 */
export const couponsOf = (invoice: StripeObject): unknown[] =>
  [...invoiceDiscounts(invoice), ...lineDiscounts(invoice).filter(isExpanded)].map(couponOf)

/** Returns whether an object is a coupon whose percentage is not an integer, such as 12.5. */
export const isFractionalCoupon = (object: StripeObject): boolean =>
  object.object === 'coupon' && !Number.isInteger(valueAt(object, 'percent_off') ?? 0)

/** Returns whether an invoice has a coupon that cannot be recorded because its percentage is not an integer. */
export const hasFractionalCoupon = (invoice: StripeObject, { isFractional }: MappingContext): boolean =>
  couponsOf(invoice).some((coupon) => isFractional(String(idOf(coupon))))

/** Returns the ids of an invoice's coupons that can be recorded. Throws Refusal if a discount is not expanded. */
export const discountIds = (invoice: StripeObject, { isFractional }: MappingContext): unknown[] => {
  const ids = couponsOf(invoice).map(
    (coupon) =>
      idOf(coupon) ??
      refuse('The discounts are not expanded: fetch the invoices with expand[]=data.discounts.'),
  )
  return [...new Set(ids)].filter((id) => !isFractional(String(id)))
}
