import type { MappingContext } from './mapping-context.ts'
import { listAt, objectIdOf, refuse, type StripeObject, valueAt } from './values.ts'

/** The paths of a discount's coupon in the versions of the API. */
const couponPaths = ['source.coupon', 'coupon']

const couponOf = (discount: unknown): unknown => valueAt(discount, ...couponPaths)

const isExpanded = (discount: unknown): boolean => couponOf(discount) !== undefined

/** As ids or objects. */
const invoiceDiscounts = (invoice: StripeObject): unknown[] => {
  const { discount } = invoice
  const discounts: unknown[] = listAt(invoice, 'discounts')
  if (discounts.length === 0) return discount ? [discount] : []
  // Older versions expand `discount`, but not `discounts`.
  return discounts.map((listed) => (listed === valueAt(discount, 'id') ? discount : listed))
}

/** As ids or objects. */
const discountsOfLine = (line: StripeObject): unknown[] => [
  ...listAt(line, 'discount_amounts').map(({ discount }) => discount),
  ...listAt(line, 'discounts'),
]

/** Those that are not discounts of the invoice itself, as objects where they are expanded. */
const lineDiscounts = (invoice: StripeObject): unknown[] => {
  const invoiceIds = new Set(invoiceDiscounts(invoice).map(objectIdOf))
  const byId = new Map<unknown, unknown>()
  for (const discount of listAt(invoice, 'lines.data').flatMap(discountsOfLine)) {
    const id = objectIdOf(discount)
    if (id === undefined || invoiceIds.has(id)) continue
    const previous = byId.get(id)
    if (previous === undefined || !isExpanded(previous)) byId.set(id, discount)
  }
  return [...byId.values()]
}

/** Whether the coupon of a line is unknown. */
export const hasUnknownLineDiscount = (invoice: StripeObject): boolean =>
  !lineDiscounts(invoice).every(isExpanded)

/** As ids or objects. A discount of the invoice that is not expanded yields undefined, one of a line yields nothing. */
export const couponsOf = (invoice: StripeObject): unknown[] =>
  [...invoiceDiscounts(invoice), ...lineDiscounts(invoice).filter(isExpanded)].map(couponOf)

export const isFractionalCoupon = (object: StripeObject): boolean =>
  object.object === 'coupon' && !Number.isInteger(valueAt(object, 'percent_off') ?? 0)

export const hasFractionalCoupon = (invoice: StripeObject, { isFractional }: MappingContext): boolean =>
  couponsOf(invoice).some((coupon) => isFractional(String(objectIdOf(coupon))))

/** Without those that cannot be recorded. Throws Refusal if a discount is not expanded. */
export const discountIds = (invoice: StripeObject, { isFractional }: MappingContext): unknown[] => {
  const ids = couponsOf(invoice).map(
    (coupon) =>
      objectIdOf(coupon) ??
      refuse('The discounts are not expanded: fetch the invoices with expand[]=data.discounts.'),
  )
  return [...new Set(ids)].filter((id) => !isFractional(String(id)))
}
