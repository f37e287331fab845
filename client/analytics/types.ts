import type { InvoiceEmbeds, Invoice as Recorded } from '../generated.ts'
import type { With } from '../operations.ts'

/** What the figures are computed from, and their results. Amounts are in minor units, times in seconds since the epoch. */

/** An invoice as a list returns it with `include=line_items,price,discounts`. @example const idsOf = (invoice: Invoice) => invoice.discounts.map(({ id }) => id) */
export type Invoice = With<Recorded, InvoiceEmbeds, ['line_items', 'price', 'discounts']>

/** A line item of such an invoice. @example const planOf = ({ price }: Line) => price?.product.name */
export type Line = Invoice['line_items'][number]

/** A calendar month, as the number of months since January 1970. @example const name = (month: Month) => monthName(month) */
export type Month = number

/** A named sequence of values in a chart, one for each of its months. @example const last = ({ values }: Series) => values.at(-1) */
export interface Series<Value = number> {
  /** The product's id if the series is of a plan; otherwise its name. */
  readonly key: string
  /** A label: the name of the plan, or a fixed one such as "New". */
  readonly name: string
  readonly values: readonly Value[]
}

/** Values by month: amounts in one currency or, without a currency, counts or rates. @example const keysOf = ({ series }: Chart) => series.map(({ key }) => key) */
export interface Chart<Value = number> {
  readonly currency: string | undefined
  /** Consecutive months. The last one is that of `now` and not over yet; in a schedule, the first one. */
  readonly months: readonly Month[]
  /** The same months as text, such as "2026-02". */
  readonly names: readonly string[]
  readonly series: readonly Series<Value>[]
}

/** Total amounts in one currency by customer, plan or discount, the greatest first. @example const best = ({ rows }: Ranking) => rows[0]?.name */
export interface Ranking {
  readonly currency: string
  readonly rows: readonly {
    /** The id of the customer, product or discount; for several discounts, their ids joined by " + ". */
    readonly key: string
    /** A label. That of a customer is the id, since invoices do not contain customers' names. */
    readonly name: string
    readonly amount: number
  }[]
}

/** A plan: the product of a line's price. @example const label = ({ key, name }: Plan) => `${name} (${key})` */
export interface Plan {
  /** The id of the product; empty for lines without a price. */
  readonly key: string
  readonly name: string
}

/** The ways in which the recurring revenue of a customer changes. @example const name: MovementName = 'Churn' */
export type MovementName = 'New' | 'Reactivation' | 'Expansion' | 'Contraction' | 'Churn'

/** A change of a customer's recurring revenue in one currency from the end of one month to that of the next. @example const isLoss = ({ amount }: Movement) => amount < 0 */
export interface Movement {
  readonly month: Month
  readonly customer_id: string
  readonly currency: string
  readonly name: MovementName
  /** The difference in monthly revenue: negative for contraction and churn. */
  readonly amount: number
}

/** A customer who joined, came back or left: became active for the first time or again, or is no longer active. @example const who = (change: CustomerChange) => change.customer_id */
export interface CustomerChange {
  readonly month: Month
  readonly customer_id: string
  readonly name: 'New' | 'Reactivated' | 'Lost'
}

/** The customers who were new in a month. @example const rates = ({ active, customers }: CustomerCohort) => active.map((count) => count / customers) */
export interface CustomerCohort {
  readonly month: Month
  /** How many they are. */
  readonly customers: number
  /** How many of them are active at the end of the month itself, of the next one, and so on; the last is now. */
  readonly active: readonly number[]
}

/** The customers who were new in a currency in a month. @example const kept = ({ recurring }: RevenueCohort) => recurring.at(-1)! / recurring[0]! */
export interface RevenueCohort {
  readonly month: Month
  /** Their recurring revenue at the end of the month itself, of the next one, and so on; the last is now. */
  readonly recurring: readonly number[]
}

/** The cohorts of a currency, oldest first. @example const oldest = ({ cohorts }: RevenueCohorts) => cohorts[0]?.month */
export interface RevenueCohorts {
  readonly currency: string
  readonly cohorts: readonly RevenueCohort[]
}

/** The current status of a subscription that has recurring lines. @example const plansOf = ({ holds }: SubscriptionStatus) => holds.map(({ name }) => name) */
export interface SubscriptionStatus {
  readonly subscription_id: string
  readonly customer_id: string
  /** Whether it is active. It still is for three days after its last period, since a renewal may not be recorded yet. */
  readonly active: boolean
  /** The monthly value of each plan in each currency. Empty if it has none now. */
  readonly holds: readonly (Plan & { readonly currency: string; readonly monthly: number })[]
  /** When the first paid period begins, in the future if it is billed in advance; undefined if none was paid, as in a free trial. */
  readonly since: number | undefined
  /** When the last paid period ends, exclusive. In the past if the subscription has ended. */
  readonly until: number | undefined
}

/** What the figures were computed from, and what they cannot take into account. @example const share = (of: Coverage) => of.invoicesWithoutRecurringLine / of.invoices */
export interface Coverage {
  /** The number of invoices. */
  readonly invoices: number
  /** The number of invoices without a recurring line, which count only as invoiced. */
  readonly invoicesWithoutRecurringLine: number
  /** The number of invoices without lines. Their totals are recognised over their periods, with tax. */
  readonly invoicesWithoutLines: number
  /** The number of `one_time` lines with a period or a negative amount, but no recurring price. They may be prorations. */
  readonly unassignedLines: number
  /** The number of periods that end up to a day before the subscription's next one begins: their end may be inclusive. */
  readonly inclusiveEnds: number
  /** The number of invoices whose total is that of their lines neither with tax added nor without. */
  readonly unequalTotals: number
  /** The number of recurring lines whose period is empty. They do not count. */
  readonly emptyPeriods: number
  /** When the newest invoice up to now was created; undefined if there is none. */
  readonly recordedUntil: number | undefined
  /** Whether that is at most three days ago. Otherwise the figures of the last month are incomplete. */
  readonly complete: boolean
}
