import type { MappingContext } from './fields.ts'
import { idAt, type Json, listAt, refuse, valueAt } from './values.ts'

/** How the discounts of invoices are read. */

const couponPaths = ['source.coupon', 'coupon']

/** Returns the discounts of an invoice, as ids or expanded. */
const discountsOf = (invoice: Json): unknown[] => {
  const { discount } = invoice
  const several = listAt(invoice, 'discounts') as unknown[]
  if (several.length === 0) return discount ? [discount] : []
  // Older versions expand `discount` and not `discounts`.
  return several.map((each) => (each === valueAt(discount, 'id') ? discount : each))
}

/** Returns the discounts of the lines of an invoice that the invoice itself does not name, as ids or expanded. */
const discountsOfLines = (invoice: Json): unknown[] => {
  const known = new Set(discountsOf(invoice).map((each) => valueAt(each, 'id') ?? each))
  const found = new Map<unknown, unknown>()
  for (const line of listAt(invoice, 'lines.data')) {
    const amounts = listAt(line, 'discount_amounts').map((each) => each.discount)
    for (const each of [...amounts, ...(listAt(line, 'discounts') as unknown[])]) {
      const id = valueAt(each, 'id') ?? each
      const isBetter = !found.has(id) || valueAt(found.get(id), ...couponPaths) === undefined
      if (id !== undefined && !known.has(id) && isBetter) found.set(id, each)
    }
  }
  return [...found.values()]
}

const isExpanded = (discount: unknown): boolean => valueAt(discount, ...couponPaths) !== undefined

/** Returns whether an invoice has a discount of a line that is not expanded, so that its coupon is unknown. */
export const hasUnknownLineDiscount = (invoice: Json): boolean => !discountsOfLines(invoice).every(isExpanded)

/** Returns the coupons of an invoice and of its lines, as ids or expanded; undefined for a discount that is not expanded. */
export const couponsOf = (invoice: Json): unknown[] =>
  [...discountsOf(invoice), ...discountsOfLines(invoice).filter(isExpanded)].map((each) =>
    valueAt(each, ...couponPaths),
  )

export const discountIdsOf = (invoice: Json, { isFractional }: MappingContext): unknown[] => {
  const ids = couponsOf(invoice).map(
    (coupon) =>
      idAt({ coupon }, 'coupon') ??
      refuse('The discounts are not expanded: fetch the invoices with expand[]=data.discounts.'),
  )
  return [...new Set(ids)].filter((coupon) => !isFractional(String(coupon)))
}
