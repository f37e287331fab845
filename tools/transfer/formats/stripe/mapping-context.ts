import type { StripeObject } from './values.ts'

/** What an import accepts only if the user allows it. */
export interface AcceptanceOptions {
  /** Whether metadata that exceeds the service's limit is left out. Otherwise, its customer is refused. */
  readonly cutsMetadata: boolean
  /** Whether invoices without a subscription are recorded under a subscription for the one-off invoices of their customer. */
  readonly recordsOneOffs: boolean
  /** Whether the last page of a list may be missing. */
  readonly allowsMissingPages: boolean
}

/** What the mapping of an object depends on: options, and other objects of the import, which are given by Stripe's ids. */
export interface MappingContext extends Pick<AcceptanceOptions, 'cutsMetadata' | 'recordsOneOffs'> {
  /** Returns `interval`, `interval_count` and `usage_type` of a price; undefined if it is unknown or does not recur. */
  recurrence(priceId: string): StripeObject | undefined
  /** Returns whether the import contains a price or plan as an object of its own, not only embedded in other objects. */
  isListed(priceId: string): boolean
  /** Returns whether the import contains a price with this id as an object of its own, and not only a plan. */
  hasPrice(priceId: string): boolean
  /** Returns whether a coupon cannot be recorded because its percentage is not an integer. */
  isFractional(couponId: string): boolean
  /** Returns an invoice; undefined if the import does not contain it. */
  invoice(invoiceId: string): StripeObject | undefined
}
