import type { Day } from './calendar.ts'
import type { Coupon } from './coupons.ts'
import type { Currency, Interval, Plan } from './plans.ts'

/** What a subscription is sold as. */
export interface Sold {
  readonly plan: Plan
  /** The number of seats: 1 of a plan without seats. */
  readonly seats: number
  readonly interval: Interval
}

/** Another plan, number of seats or interval from a day on: with a proration if the day is within a billed period. */
export interface Change {
  readonly on: Day
  readonly to: Sold
}

/** The story of a subscription, from which its invoices follow. It does not depend on the current time. */
export interface Subscription {
  readonly id: string
  readonly currency: Currency
  /** The value-added tax on top of the prices, in percent. */
  readonly taxPercent: number
  /** The first day. Periods begin on the same day of each month. */
  readonly starts: Day
  readonly sold: Sold
  /** In the order of their days. */
  readonly changes: readonly Change[]
  /** The day of the cancellation: no period begins on it or later. */
  readonly ends?: Day | undefined
  /** Whether the cancellation is immediate and the unused part of its period is credited. */
  readonly isRefunded?: boolean
  /** A pause: the monthly periods that begin from the one day up to the other are not billed. */
  readonly pause?: { readonly from: Day; readonly until: Day } | undefined
  readonly coupon?: Coupon | undefined
  /** The day of a credit of a quarter of the monthly price, as goodwill. */
  readonly goodwill?: Day | undefined
  readonly hasOnboarding?: boolean
}
