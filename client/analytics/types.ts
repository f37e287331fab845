import type { Month, Plan } from './lines/invoice.ts'

/** The results of the figures. Amounts are in minor units, times in seconds since the epoch. */

/** The fields of every record of a month. Months are consecutive, and the last one is the month of `now`, which is not over yet. @example const label = ({ name }: CalendarMonth) => `In ${name}` */
export interface CalendarMonth {
  readonly month: Month
  /** The same month as text, such as "2026-02". */
  readonly name: string
}

/** The months of one currency. @example const latest = ({ months }: CurrencyMonths<InvoicedMonth>) => months.at(-1)?.invoiced */
export interface CurrencyMonths<Record extends CalendarMonth> {
  readonly currency: string
  readonly months: readonly Record[]
}

/** The amount invoiced in a month. @example const isQuiet = ({ invoiced }: InvoicedMonth) => invoiced === 0 */
export interface InvoicedMonth extends CalendarMonth {
  /** The sum of the totals of the invoices created in the month, with tax and credits. */
  readonly invoiced: number
}

/** A plan and an amount of it. @example const isLarge = ({ amount }: PlanAmount) => amount >= 100_000 */
export interface PlanAmount extends Plan {
  readonly amount: number
}

/** The recurring revenue at the end of a month, or now. @example const share = ({ total, plans }: RecurringMonth) => plans[0]!.amount / total */
export interface RecurringMonth extends CalendarMonth {
  readonly total: number
  /** The plans that have recurring revenue, largest amount first. Their amounts add up to the total. */
  readonly plans: readonly PlanAmount[]
}

/** How the recurring revenue came about: `start` and the five movements add up to `end`. @example const growth = ({ start, end }: MovementSums) => end - start */
export interface MovementSums {
  /** The recurring revenue at the end of the month before. */
  readonly start: number
  readonly new: number
  readonly reactivation: number
  readonly expansion: number
  /** A negative amount, or 0. */
  readonly contraction: number
  /** A negative amount, or 0. */
  readonly churn: number
  /** The recurring revenue at the end of the month, or now. */
  readonly end: number
}

/** The movements of a month. @example const share = ({ end, customers }: MovementsMonth) => end / customers */
export interface MovementsMonth extends MovementSums, CalendarMonth {
  /** The number of customers who are active in this currency at the end of the month, or now. */
  readonly customers: number
}

/** How many customers there are in a month, in all currencies. @example const net = (month: CustomersMonth) => month.new + month.reactivated - month.lost */
export interface CustomersMonth extends CalendarMonth {
  /** At the end of the month, or now. */
  readonly active: number
  readonly new: number
  readonly reactivated: number
  readonly lost: number
}

/** How many subscriptions there are in a month, in all currencies. @example const net = (month: SubscriptionsMonth) => month.new - month.lost */
export interface SubscriptionsMonth extends CalendarMonth {
  /** At the end of the month, or now. */
  readonly active: number
  /** The subscriptions that became active, for the first time or again. */
  readonly new: number
  readonly lost: number
}

/** The revenue of a month, without discount and tax: `opening` + `billed` − `recognised` = `closing`. @example const isAhead = ({ deferred, unbilled }: RevenueMonth) => deferred > unbilled */
export interface RevenueMonth extends CalendarMonth {
  /** The `closing` of the month before. */
  readonly opening: number
  /** The sum of the lines of the invoices created in the month. */
  readonly billed: number
  readonly recognised: number
  /** `deferred` − `unbilled`. */
  readonly closing: number
  /** Billed, but not recognised yet, at the end of the month, or now. */
  readonly deferred: number
  /** Recognised, but billed later, at the end of the month, or now. */
  readonly unbilled: number
}

/**
 * The revenue of a month as it was closed: `opening` + `billed` − `recognised` − `forEarlierMonths` = `closing`.
 * @example const isClosed = ({ closedAt }: RevenueAsClosed) => closedAt !== undefined
 */
export interface RevenueAsClosed extends RevenueMonth {
  /** The sum of the lines of the invoices created in the month, and of older ones that were recorded after their month was closed. */
  readonly billed: number
  /** What lines that were recorded after earlier months were closed recognise for those months. */
  readonly forEarlierMonths: number
  /** The last second whose records count; undefined if the month is not closed, or ended before anything was recorded. */
  readonly closedAt: number | undefined
}

/** An invoice that was recorded after a month was closed. @example const days = ({ recorded, created }: LateInvoice) => (recorded - created) / 86_400 */
export interface LateInvoice {
  readonly invoice_id: string
  readonly customer_id: string
  readonly created: number
  /** When it was recorded: when the service says so, but not before it was created. */
  readonly recorded: number
  /** Its lines in the currency, without discount and tax. */
  readonly net: number
  /** The part of that which is for the closed month. */
  readonly recognised: number
}

/** What later records changed in a closed month, in one currency. @example const total = (months: ClosedMonthChanges[]) => months.reduce((sum, { recognised }) => sum + recognised, 0) */
export interface ClosedMonthChanges extends CalendarMonth {
  readonly currency: string
  /** The last second whose records the closed month has. */
  readonly closedAt: number
  /** The recognised revenue of the month as known today, less that as closed. */
  readonly recognised: number
  /** The recurring revenue at the end of the month as known today, less that as closed. */
  readonly recurring: number
  /** The invoices, in the order in which they were recorded. Their `recognised` add up. */
  readonly invoices: readonly LateInvoice[]
}

/** A line of which something is deferred or unbilled at the end of a month. @example const left = (lines: DeferredLine[]) => lines.reduce((sum, { deferred }) => sum + deferred, 0) */
export interface DeferredLine {
  readonly invoice_id: string
  readonly customer_id: string
  /** When its invoice was created. */
  readonly created: number
  /** Null for the total of an invoice without lines. */
  readonly line_id: string | null
  readonly plan: Plan
  readonly currency: string
  /** The period over which it is recognised. Its end is exclusive. */
  readonly start: number
  readonly end: number
  readonly net: number
  /** The part of the net that is recognised at the end of the month. */
  readonly recognised: number
  /** What is left of it, if it is billed by then; otherwise 0. */
  readonly deferred: number
  /** What is recognised of it, if it is billed later; otherwise 0. */
  readonly unbilled: number
}

/** The number of invoices, or of credit notes, and the sums of their lines. @example const rate = ({ tax, net }: TaxedAmounts) => tax / net */
export interface TaxedAmounts {
  readonly count: number
  readonly net: number
  readonly tax: number
  /** `net` + `tax`. */
  readonly total: number
}

/** The lines of a month, or of a quarter, with one rate of tax in a segment, such as a country. @example const isDomestic = ({ segment }: TaxRecord) => segment === 'DE' */
export interface TaxRecord {
  /** The month, or the first month of the quarter. */
  readonly month: Month
  /** Such as "2026-10" or "2026-Q4". */
  readonly name: string
  readonly currency: string
  readonly segment: string
  /** As a fraction, such as 0.19; 0 without tax; null if it is unknown, since an invoice has no lines or the amounts show none. */
  readonly rate: number | null
  readonly invoices: TaxedAmounts
  /** The invoices whose total is below 0. */
  readonly creditNotes: TaxedAmounts
  /** The sums of invoices and credit notes. */
  readonly net: number
  readonly tax: number
  readonly total: number
}

/** An invoice with lines without tax in a currency. @example const ids = (invoices: UntaxedInvoice[]) => invoices.map(({ invoice_id }) => invoice_id) */
export interface UntaxedInvoice {
  readonly invoice_id: string
  readonly customer_id: string
  readonly created: number
  readonly month: Month
  readonly currency: string
  /** The sum of these lines. */
  readonly net: number
}

/** The part of the revenue deferred now that will be recognised in a month. @example const amounts = (months: ScheduledMonth[]) => months.map(({ recognised }) => recognised) */
export interface ScheduledMonth extends CalendarMonth {
  readonly recognised: number
}

/** Total amounts in one currency by customer, plan or discount, largest first. @example const best = ({ rows }: Ranking) => rows[0]?.name */
export interface Ranking {
  readonly currency: string
  readonly rows: readonly {
    /** The id of the customer, product or discount; for several discounts, their ids joined by " + "; empty for none. */
    readonly key: string
    /** The name of the product or discounts; null for none. For a customer, it is the id, since invoices do not contain customers' names. */
    readonly name: string | null
    readonly amount: number
  }[]
}

/** The ways in which the recurring revenue of a customer changes. @example const kind: MovementKind = 'churn' */
export type MovementKind = 'new' | 'reactivation' | 'expansion' | 'contraction' | 'churn'

/** A change of a customer's recurring revenue in one currency from the end of one month to that of the next. @example const isLoss = ({ amount }: Movement) => amount < 0 */
export interface Movement {
  readonly month: Month
  readonly customer_id: string
  readonly currency: string
  readonly kind: MovementKind
  /** The difference in monthly revenue: negative for contraction and churn. */
  readonly amount: number
}

/** The kinds of reasons why a customer expands or contracts. @example const kind: MovementReasonKind = 'discount' */
export type MovementReasonKind = 'plan' | 'quantity' | 'interval' | 'price' | 'discount' | 'credit'

/** Why a customer expands or contracts. @example const text = ({ kind, before, after }: MovementReason) => `${kind}: ${before} → ${after}` */
export interface MovementReason {
  readonly kind: MovementReasonKind
  /** The plan that the customer had and still has; null if plans were added or ended, or the credit names none that is charged. */
  readonly plan: Plan | null
  /**
   * The former value: the names of the plans that ended, the quantity, the interval such as "1 month", or the names of the
   * discounts. Null if there was none, and for a price and a credit.
   */
  readonly before: string | null
  /** The new value, in the same form. */
  readonly after: string | null
}

/** A movement with the customer's recurring revenue before and after it, and why it grew or shrank. @example const isByCoupon = ({ reasons }: ExplainedMovement) => reasons.some(({ kind }) => kind === 'discount') */
export interface ExplainedMovement extends Movement {
  /** The customer's recurring revenue in the currency at the end of the month before. */
  readonly before: number
  /** The same at the end of the month, or now. */
  readonly after: number
  /** The plans that the movement is of in `movementsByPlan`, with their parts of its amount. */
  readonly plans: readonly PlanAmount[]
  /** Empty unless the kind is "expansion" or "contraction", or if the lines do not show why. */
  readonly reasons: readonly MovementReason[]
}

/** A customer who is new, reactivated or lost: became active for the first time or again, or is no longer active. @example const who = (change: CustomerChange) => change.customer_id */
export interface CustomerChange {
  readonly month: Month
  readonly customer_id: string
  readonly kind: 'new' | 'reactivated' | 'lost'
}

/** The customers who were new in a month. @example const rates = ({ active, customers }: CustomerCohort) => active.map((count) => count / customers) */
export interface CustomerCohort {
  readonly month: Month
  /** The number of these customers. */
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

/** The customers who were new in a month or a quarter: the number of active ones, or their recurring revenue. @example const kept = ({ values }: Cohort) => values.at(-1)! / values[0]! */
export interface Cohort {
  /** The month, or the first month of the quarter. */
  readonly month: Month
  /** The values at its end, and at the end of each later month or quarter; the last is now. */
  readonly values: readonly number[]
}

/** The average of cohorts some months, or quarters, after they joined. @example const text = ({ share }: CohortAverage) => `${(share ?? 0) * 100} %` */
export interface CohortAverage {
  /** The mean of the values. */
  readonly mean: number
  /** The sum of the values as a fraction of the sum of the first values; null if that sum is 0. */
  readonly share: number | null
}

/** What became of the customers who had recurring revenue in a currency some months ago. @example const shrinks = ({ netRetention }: Retention) => (netRetention ?? 1) < 1 */
export interface Retention {
  readonly currency: string
  /** The month at the end of which they had it. */
  readonly since: Month
  /** Their recurring revenue at the end of that month. */
  readonly start: number
  /** Their recurring revenue now. */
  readonly kept: number
  /** The sum of the decreases of those who have less now, or nothing. */
  readonly lost: number
  /** `kept` as a fraction of `start`; null if that is 0. */
  readonly netRetention: number | null
  /** `lost` as a fraction of `start`; null if that is 0. */
  readonly grossChurn: number | null
}

/** The recurring revenue of a plan at the start and at the end of some months. @example const growth = ({ start, end }: PlanGrowth) => end - start */
export interface PlanGrowth extends Plan {
  readonly start: number
  readonly end: number
}

/** The movements of the recurring revenue of a segment in one currency. @example const now = ({ months }: SegmentMovements) => months.at(-1)?.end */
export interface SegmentMovements extends CurrencyMonths<MovementsMonth> {
  /** The value of a key of the customers' metadata, as text. */
  readonly segment: string
}

/** The movements of a plan in a month. @example const growth = ({ expansion, contraction }: PlanMovementsMonth) => expansion + contraction */
export interface PlanMovementsMonth extends CalendarMonth, Omit<MovementSums, 'start' | 'end'> {}

/** The movements of a plan in one currency. @example const expansion = ({ months }: PlanMovements) => months.at(-1)?.expansion */
export interface PlanMovements extends CurrencyMonths<PlanMovementsMonth> {
  readonly plan: Plan
}

/** The trials that ended in a month. @example const text = ({ converted, ended }: TrialsMonth) => `${converted} of ${ended}` */
export interface TrialsMonth extends CalendarMonth {
  /** The number of subscriptions that began with a line of 0, and whose trial ended in the month. */
  readonly ended: number
  /** How many of them have a line above 0 that begins no later than three days after. */
  readonly converted: number
  /** `converted` as a fraction of `ended`; null if that is 0. */
  readonly conversion: number | null
}

/** What the invoices of a month took off. @example const percent = ({ share }: DiscountMonth) => (share ?? 0) * 100 */
export interface DiscountMonth extends CalendarMonth {
  /** The sum of the lines' amounts before discounts. */
  readonly amount: number
  /** The sum of their discounts. */
  readonly discount: number
  /** `discount` as a fraction of `amount`; null if that is not above 0. */
  readonly share: number | null
}

/** A lost customer: is no longer active in any currency. @example const isEarly = ({ tenure }: Departure) => tenure < 3 */
export interface Departure {
  readonly month: Month
  readonly customer_id: string
  /** The plans at the end of the month before, with their recurring revenue. */
  readonly plans: readonly (PlanAmount & { readonly currency: string })[]
  /** The month in which the customer was new or, after an absence, reactivated. */
  readonly since: Month
  /** The months from then until the month. */
  readonly tenure: number
  /** Whether a billed period was credited, or ended without a renewal. */
  readonly reason: 'credited' | 'not renewed'
  /** The month in which the customer was reactivated; null if they were not. */
  readonly back: Month | null
}

/** An invoice that is expected because a billed period of a subscription ends. @example const isLarge = ({ amount }: Renewal) => amount >= 100_000 */
export interface Renewal {
  readonly subscription_id: string
  readonly customer_id: string
  readonly currency: string
  /** When a billed period ends. The renewal is late if that time has passed. */
  readonly due: number
  /** The month in which the invoice is expected: that of the due time, or the current month if the renewal is late. */
  readonly month: Month
  readonly late: boolean
  /** The expected amount, without tax. */
  readonly amount: number
  readonly plans: readonly PlanAmount[]
  /** The length of the longest interval that is renewed, in months: 12 for a yearly plan. */
  readonly months: number
  /** The names of the discounts that no longer hold, but did before. */
  readonly endedDiscounts: readonly string[]
}

/** The renewals that are expected in a month. @example const total = ({ amount, invoices }: RenewalsMonth) => `${amount} by ${invoices} invoices` */
export interface RenewalsMonth extends CalendarMonth {
  /** The number of expected invoices. */
  readonly invoices: number
  /** The expected amount, without tax. */
  readonly amount: number
  /** The number of expected invoices that are late. Only the current month can have any. */
  readonly late: number
}

/** An amount in a currency. @example const text = ({ currency, amount }: CurrencyAmount) => `${currency} ${amount}` */
export interface CurrencyAmount {
  readonly currency: string
  readonly amount: number
}

/** The current status of a subscription that has recurring lines. @example const plansOf = ({ holds }: SubscriptionStatus) => holds.map(({ key }) => key) */
export interface SubscriptionStatus {
  readonly subscription_id: string
  readonly customer_id: string
  /** Whether it is active. It still is for three days after its last period, since a renewal may not be recorded yet. */
  readonly active: boolean
  /** The monthly value of each plan in each currency. Empty if it has none now. */
  readonly holds: readonly (Plan & { readonly currency: string; readonly monthly: number })[]
  /** When the first billed period begins, in the future if it is billed in advance; undefined if none was billed, as in a free trial. */
  readonly since: number | undefined
  /** When the last billed period ends, exclusive. In the past if the subscription has ended. */
  readonly until: number | undefined
}

/** The number of cases of each kind that the figures cannot take into account. @example const total = (facts: Facts) => Object.values(facts).reduce((sum, count) => sum + count, 0) */
export interface Facts {
  /** The number of invoices without a recurring line, which count only as invoiced. */
  readonly invoicesWithoutRecurringLine: number
  /** The number of invoices without lines. Their totals are recognised over their periods, with tax. */
  readonly invoicesWithoutLines: number
  /** The number of `one_time` lines with a period or a negative amount, but no recurring price. They may be prorations. */
  readonly unassignedLines: number
  /** The number of `recurring` lines without an interval, of their own or of a price. They do not count. */
  readonly recurringWithoutInterval: number
  /** The number of periods that end up to a day before the subscription's next one begins: their end may be inclusive. */
  readonly inclusiveEnds: number
  /** The number of invoices whose total is not the sum of their lines, neither with tax added nor without. */
  readonly unequalTotals: number
  /** The number of recurring lines whose period is empty. They do not count. */
  readonly emptyPeriods: number
  /** The number of recurring lines without a period of their own whose invoice's period is neither one interval nor several. */
  readonly differingPeriods: number
  /** The number of lines that begin more than a day before another of the same subscription ends, which is neither credited nor renewed. */
  readonly overlappingLines: number
  /** The number of credits for time more than a month before they were created. They change months that were closed. */
  readonly lateCredits: number
}

/** The kind of a case that the figures cannot take into account. @example const fact: Fact = 'overlappingLines' */
export type Fact = keyof Facts

/** An invoice with a case that the figures cannot take into account. @example const isTotal = ({ fact }: Finding) => fact === 'unequalTotals' */
export interface Finding {
  readonly fact: Fact
  readonly invoice_id: string
}

/** The number of invoices that the figures were computed from, and of the cases that they cannot take into account. @example const share = (coverage: Coverage) => coverage.invoicesWithoutRecurringLine / coverage.invoices */
export interface Coverage extends Facts {
  /** The number of invoices. */
  readonly invoices: number
  /** When the newest invoice up to now was created; undefined if there is none. */
  readonly recordedUntil: number | undefined
  /** Whether that is at most three days ago. Otherwise the figures of the last month are incomplete. */
  readonly complete: boolean
}
