import type { Day } from './calendar.ts'
import type { Coupon } from './coupons.ts'
import type { BillingInterval, BusinessPlan, Currency } from './plans.ts'

/** What is billed in each interval. */
export interface Terms {
  readonly plan: BusinessPlan
  /** The number of seats; 1 for a plan without seats. */
  readonly seats: number
  readonly interval: BillingInterval
}

/** New terms from a day on, with a proration if the day is within a billed period. */
export interface TermsChange {
  readonly day: Day
  readonly terms: Terms
}

/** It determines the invoices, and does not depend on the current time. */
export interface SubscriptionHistory {
  readonly id: string
  readonly currency: Currency
  /** Value-added, on top of the prices. */
  readonly taxPercent: number
  /** Periods begin on the same day of each month. */
  readonly firstDay: Day
  readonly terms: Terms
  /** Of a free trial until the first day. */
  readonly trialStart?: Day | undefined
  readonly changes: readonly TermsChange[]
  /** No period begins on this day or later. */
  readonly cancellationDay?: Day | undefined
  /** Whether the cancellation is immediate and the unused part of its period is credited. */
  readonly isRefunded?: boolean
  /** The monthly periods that begin on its first day or later, but before its end, are not billed. */
  readonly pause?: { readonly start: Day; readonly end: Day } | undefined
  readonly coupon?: Coupon | undefined
  /** Of a credit of a quarter of the monthly price. */
  readonly goodwillDay?: Day | undefined
  /** Of an invoice of many lines, for the usage of the month before. */
  readonly usageDay?: Day | undefined
  readonly hasOnboarding?: boolean
}

export const termsOn = ({ terms, changes }: SubscriptionHistory, day: Day): Terms =>
  changes.findLast((change) => change.day <= day)?.terms ?? terms
