import type { Snapshot } from '../records/snapshot.ts'

/** The use of a discount in one currency. */
export interface DiscountUse {
  readonly currency: string
  /** The sum of the discounts of its invoices, in minor units. */
  readonly amount: number
  /** The number of invoices that have the discount. */
  readonly invoices: number
  /** The number of these invoices that also have other discounts. Their amounts are not divided among them. */
  readonly sharedInvoices: number
  readonly customers: number
}

/** Returns the invoices that have a discount, by the service's id of the discount. */
export const invoicesWithDiscount = ({ invoices }: Snapshot, discountId: string): Snapshot['invoices'] =>
  invoices.filter(({ discounts }) => discounts.some(({ id }) => id === discountId))

/** Returns the use of a discount in each currency, by the service's id of the discount. */
export const discountUses = (snapshot: Snapshot, discountId: string): DiscountUse[] => {
  const groups = Map.groupBy(invoicesWithDiscount(snapshot, discountId), ({ currency }) => currency)
  return snapshot.currencies().flatMap((currency) => {
    const invoices = groups.get(currency)
    if (!invoices) return []
    return {
      currency,
      amount: invoices.reduce((sum, invoice) => sum + snapshot.amountsOf(invoice).discount, 0),
      invoices: invoices.length,
      sharedInvoices: invoices.filter(({ discounts }) => discounts.length > 1).length,
      customers: new Set(invoices.map(({ customer_id }) => customer_id)).size,
    }
  })
}
