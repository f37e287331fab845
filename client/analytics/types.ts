import type { InvoiceEmbeds, Invoice as Recorded } from '../generated.ts'
import type { With } from '../operations.ts'

/** The forms of what the figures are made from, and of the figures. Amounts are in minor units, times in seconds since the epoch. */

/** An invoice as returned by a list with `include=line_items,price,discounts`. */
export type Invoice = With<Recorded, InvoiceEmbeds, ['line_items', 'price', 'discounts']>

/** A line of such an invoice. */
export type Line = Invoice['line_items'][number]

/** A calendar month, counted from January 1970. */
export type Month = number

/** The values of a chart that belong together, one for each of its months. */
export interface Series<Value = number> {
  /** The id of the plan; the name where the series is not a plan's. */
  readonly key: string
  /** What to show: the name of the plan, or such as "New". */
  readonly name: string
  readonly values: readonly Value[]
}

/** Values month by month: amounts of one currency or, without a currency, counts and shares. */
export interface Chart<Value = number> {
  readonly currency: string | undefined
  /** The months, without a gap. The last is that of `now` and not over yet. */
  readonly months: readonly Month[]
  /** The names of the months, such as "2026-02". */
  readonly names: readonly string[]
  readonly series: readonly Series<Value>[]
}

/** The sums of amounts in one currency, by group, the greatest first. */
export interface Ranking {
  readonly currency: string
  readonly rows: readonly {
    /** The id of what the amounts count towards; several discounts' ids are joined by " + ". */
    readonly key: string
    /** What to show; of customers their id, since an invoice does not have their name. */
    readonly name: string
    readonly amount: number
  }[]
}

/** What the product of a price is called. */
export interface Plan {
  /** The id of the product; empty for lines that name no price. */
  readonly key: string
  readonly name: string
}

/** The ways in which the recurring revenue of a customer changes. */
export type MovementName = 'New' | 'Reactivation' | 'Expansion' | 'Contraction' | 'Churn'

/** A change of the recurring revenue of a customer in one currency from the end of one month to that of the next. */
export interface Movement {
  readonly month: Month
  readonly customer_id: string
  readonly currency: string
  readonly name: MovementName
  /** What the revenue of a month changes by: negative for contraction and churn. */
  readonly amount: number
}

/** A subscription with recurring lines, as it stands now. */
export interface Standing {
  readonly subscription_id: string
  readonly customer_id: string
  /** Whether it is active, also in the three days after its period in which nobody knows whether it was renewed. */
  readonly active: boolean
  /** The monthly value of each plan that it holds, in each currency. Empty if it holds none. */
  readonly holds: readonly (Plan & { readonly currency: string; readonly monthly: number })[]
  /** When it was first paid for; undefined if it never was, such as a trial at nothing. */
  readonly since: number | undefined
  /** When the recorded payments end, exclusive. In the past if the subscription has ended. */
  readonly until: number | undefined
}

/** What the figures are made from, and what they cannot see. */
export interface Coverage {
  /** The number of invoices. */
  readonly invoices: number
  /** Invoices without a recurring line: they count only as invoiced. */
  readonly invoicesWithoutRecurringLine: number
  /** Lines of type `one_time` with a period, or below 0, that name no recurring price: an unused part may be one. */
  readonly unassignedLines: number
  /** Periods that end up to a day before the next of the same subscription begins: their end may have been meant inclusive. */
  readonly inclusiveEnds: number
  /** Invoices with lines that come to the total neither with their taxes added nor without. */
  readonly unequalTotals: number
  /** Recurring lines whose period has no length: they count nowhere. */
  readonly emptyPeriods: number
  /** When the newest invoice up to now was created; undefined if there is none. */
  readonly recordedUntil: number | undefined
  /** Whether that is at most three days ago. Else the last month is not complete. */
  readonly complete: boolean
}
