/** What the questions read of an invoice: as a list gives it with `include=line_items,price,discounts`. */
export interface Invoice {
  readonly id: string
  readonly total: number
  /** Times are in seconds since the epoch. */
  readonly created: number
  readonly period_start: number
  readonly period_end: number
  readonly currency: string
  readonly customer_id: string
  readonly subscription_id: string
  readonly line_items: readonly Line[]
  readonly discounts: readonly { readonly id: string; readonly name: string | null }[]
}

/** A line of an invoice; amounts are in minor units. */
export interface Line {
  readonly amount: number | null
  readonly discount_amount: number | null
  readonly currency: string | null
  readonly period_start: number | null
  readonly period_end: number | null
  readonly type: string | null
  readonly interval: string | null
  readonly interval_count: number | null
  readonly price?: { readonly product: { readonly name: string | null } } | null
}

/** Returns what a line comes to after its discount. */
export const netOf = ({ amount, discount_amount }: Line): number => (amount ?? 0) - (discount_amount ?? 0)

/** Returns the name of the product whose price a line names. */
export const planOf = ({ price }: Line): string => price?.product.name ?? 'No plan named'
