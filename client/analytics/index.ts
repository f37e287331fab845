/**
 * The figures of a business, computed from its invoices: recurring revenue and its movements, customers and subscriptions
 * by month, rankings, and the cases that the figures cannot take into account. docs/figures.md has the rules.
 *
 * Every function takes the invoices as a list returns them with `include=line_items,price,discounts`, in any order; `now`
 * in seconds since the epoch; and a time zone such as `Europe/Berlin`, in which months and intervals are counted, or an
 * object of options with it. It throws RangeError for an unknown time zone. Amounts are in minor units. Different
 * currencies are never added.
 *
 * @packageDocumentation
 */

import { customerActivity, customerChanges, subscriptionActivity } from './activity.ts'
import { figuresIn } from './all-figures.ts'
import { changesToClosedMonthsIn, recordedBy, revenueAsClosed } from './closed-months.ts'
import { customerCohortsIn, revenueCohortsIn } from './cohorts.ts'
import { coverageIn } from './coverage.ts'
import { Dataset } from './dataset.ts'
import { deferredLinesIn } from './deferred-lines.ts'
import { departuresIn } from './departures.ts'
import { renewalsByCurrency, renewalsIn, revenueAwaitingRenewal } from './expected-renewals.ts'
import { explainedMovements } from './explained-movements.ts'
import { findingsIn } from './findings.ts'
import {
  customerRankings,
  discountRankings,
  discountsByCurrency,
  invoicedTotals,
  netCustomerRankings,
  planRankings,
  segmentRankings,
} from './invoiced.ts'
import type { Invoice } from './lines/invoice.ts'
import { movementsByCurrency, movementsIn } from './movements.ts'
import { planMovements } from './plan-movements.ts'
import { revenueByCurrency, scheduleByCurrency } from './recognition.ts'
import { recurringRevenue } from './recurring-revenue.ts'
import { retentionIn } from './retention.ts'
import { type BySegment, segmentMovements } from './segments.ts'
import { subscriptionStatuses } from './subscriptions.ts'
import { monthOf, quarterOf, taxRecords, untaxedIn } from './taxes.ts'
import { trialsIn } from './trials.ts'

export type { Figures } from './all-figures.ts'
export { closingTime } from './closed-months.ts'
export { cohortAverages, cohortsByQuarter } from './cohorts.ts'
export { monthName } from './lines/calendar.ts'
export type * from './lines/invoice.ts'
export { MAX_MONTHS } from './months.ts'
export { movementSums } from './movements.ts'
export {
  averageRevenue,
  customerChurn,
  grossChurn,
  lifetime,
  lifetimeValue,
  netRetention,
  quickRatio,
} from './rates.ts'
export { planGrowth } from './recurring-revenue.ts'
export {
  type BySegment,
  NO_SEGMENT,
  type Segmented,
  type SegmentOf,
  segmentsBy,
} from './segments.ts'
export type * from './types.ts'

/** The options of every figure. @example const options: FigureOptions = { timeZone: 'Europe/Berlin' } */
export interface FigureOptions {
  /** The time zone in which months and intervals are counted, by default UTC. */
  readonly timeZone?: string
  /** The last second, since the epoch, whose records count, by default all. */
  readonly recordedUntil?: number
}

const datasetOf = (
  invoices: readonly Invoice[],
  now: number,
  { timeZone = 'UTC', recordedUntil }: FigureOptions,
): Dataset =>
  new Dataset(recordedUntil === undefined ? invoices : recordedBy(invoices, recordedUntil), now, timeZone)

/** Returns the public function of a figure: it takes invoices, the time and a time zone, or options, in place of a dataset. */
// The annotation lets a bundler drop the figures that an application does not import.
/* @__NO_SIDE_EFFECTS__ */
const figure =
  <Result, Own = unknown>(compute: (dataset: Dataset, own: Partial<Own>) => Result) =>
  (
    invoices: readonly Invoice[],
    now: number,
    options: string | (FigureOptions & Partial<Own>) = {},
  ): Result =>
    typeof options === 'string'
      ? compute(datasetOf(invoices, now, { timeZone: options }), {})
      : compute(datasetOf(invoices, now, options), options)

/** Returns the public function of a figure that cannot do without an option of its own. */
/* @__NO_SIDE_EFFECTS__ */
const figureWith =
  <Result, Own>(compute: (dataset: Dataset, own: Own) => Result) =>
  (invoices: readonly Invoice[], now: number, options: FigureOptions & Own): Result =>
    compute(datasetOf(invoices, now, options), options)

/** Returns the sum of the totals of the invoices created in each month, for each currency. @example const months = invoicedByMonth(invoices, now, 'Europe/Berlin')[0]?.months */
export const invoicedByMonth = figure(invoicedTotals)

/**
 * Returns the monthly recurring revenue at the end of each month, or now, as a total and by plan, for each currency.
 * @example const revenueNow = recurringByMonth(invoices, now)[0]?.months.at(-1)?.total
 */
export const recurringByMonth = figure(recurringRevenue)

/**
 * Returns the movements of the recurring revenue in each month, for each currency: where it started, what was new, reactivated,
 * expanded, contracted and churned, and where it ended. `netRetention`, `grossChurn` and `averageRevenue` are the rates of such a
 * month.
 * @example for (const { currency, months } of movementsByMonth(invoices, now)) console.log(currency, months.map(netRetention))
 */
export const movementsByMonth = figure(movementsByCurrency)

/**
 * Returns the movements of `movementsByMonth`, divided by segments of customers: a record for each segment in each currency.
 * @example const [first] = movementsBySegment(invoices, now, { segmentOf: segmentsBy(customers, 'country') })
 */
export const movementsBySegment = figureWith(segmentMovements)

/**
 * Returns, for each currency, what became of the customers who had recurring revenue some months ago, by default twelve:
 * their revenue now, and the decreases of those who have less.
 * @example const [{ netRetention }] = retentionOver(invoices, now, { months: 12 })
 */
export const retentionOver = figure(retentionIn)

/**
 * Returns the movements of `movementsByMonth`, divided by plan: a record for each plan in each currency. If some plans of a customer
 * grow while others shrink, as in a change of plan, the movement is of the plan that changes most in its direction.
 * @example const expansion = movementsByPlan(invoices, now).map(({ plan, months }) => [plan.name, months.at(-1)?.expansion])
 */
export const movementsByPlan = figure(planMovements)

/** Returns how many trials ended in each month, and how many of them were converted. @example const conversion = trialsByMonth(invoices, now).at(-2)?.conversion */
export const trialsByMonth = figure(trialsIn)

/** Returns what discounts took off in each month, and of how much, for each currency. @example const share = discountsByMonth(invoices, now)[0]?.months.at(-1)?.share */
export const discountsByMonth = figure(discountsByCurrency)

/**
 * Returns the lost customers, oldest first: with the plans that they had, since when, whether they were credited or not renewed,
 * and when they were reactivated.
 * @example const left = departuresOf(invoices, now).filter(({ back }) => back === null)
 */
export const departuresOf = figure(departuresIn)

/** Returns how many subscriptions are active, new and lost in each month. @example const active = subscriptionsByMonth(invoices, now).at(-1)?.active */
export const subscriptionsByMonth = figure(subscriptionActivity)

/** Returns how many customers are active, new, reactivated and lost in each month. `customerChurn` is the rate of such a month. @example const active = customersByMonth(invoices, now).at(-1)?.active */
export const customersByMonth = figure(customerActivity)

/**
 * Returns the customers who were new in each month, oldest first, and how many of them are active at the end of it and of each
 * later month, or now. A month without new customers has no row.
 * @example const retained = customerCohorts(invoices, now).map(({ customers, active }) => active.at(-1)! / customers)
 */
export const customerCohorts = figure(customerCohortsIn)

/**
 * Returns, for each currency, the months in which customers were new in that currency, oldest first, with those customers'
 * recurring revenue at the end of that month and of each later month, or now.
 * @example for (const { currency, cohorts } of revenueCohorts(invoices, now)) console.log(currency, cohorts)
 */
export const revenueCohorts = figure(revenueCohortsIn)

/**
 * Returns the revenue by month, for each currency: billed and recognised in the month, and at its end, or now, deferred
 * (billed, but not recognised yet) and unbilled (recognised, but billed later), without discount and tax. Billed to date −
 * recognised to date = deferred − unbilled.
 * @example const recognised = revenueByMonth(invoices, now)[0]?.months.map((month) => month.recognised)
 */
export const revenueByMonth = figure(revenueByCurrency)

/**
 * Returns the revenue by month as it was closed, for each currency: what was recorded by the third day after the month. What was
 * recorded later is in a column of its own in the month in which it was recorded. Months that are not closed have what is known.
 * @example const [{ months }] = revenueByClosedMonth(invoices, now, 'Europe/Berlin')
 */
export const revenueByClosedMonth = figure(revenueAsClosed)

/**
 * Returns what was recorded after months were closed and changes them as known today: a record for each month and currency, with
 * the invoices.
 * @example const october = changesToClosedMonths(invoices, now).find(({ name }) => name === '2026-10')
 */
export const changesToClosedMonths = figure(changesToClosedMonthsIn)

/**
 * Returns the lines that make up what is deferred and unbilled at the end of a month, by default now: what is recognised of each,
 * and what is left.
 * @example const lines = deferredLines(invoices, now, { month })
 */
export const deferredLines = figure(deferredLinesIn)

/**
 * Returns net, tax and total by month, currency, segment (such as a country) and rate of tax, with the credit notes apart.
 * @example const vat = taxByMonth(invoices, now, { segmentOf: segmentsBy(customers, 'country') })
 */
export const taxByMonth = figureWith((dataset, by: BySegment) => taxRecords(dataset, by, monthOf))

/** Returns what `taxByMonth` does, by quarter. @example const vat = taxByQuarter(invoices, now, { segmentOf: segmentsBy(customers, 'country') }) */
export const taxByQuarter = figureWith((dataset, by: BySegment) => taxRecords(dataset, by, quarterOf))

/** Returns the invoices with lines without tax, or whose tax is not recorded, up to the current month. @example const ids = untaxedInvoices(invoices, now).map(({ invoice_id }) => invoice_id) */
export const untaxedInvoices = figure(untaxedIn)

/**
 * Returns how much of the revenue that is deferred now will be recognised in the rest of the current month and in each later
 * month, for each currency. There are at most `MAX_MONTHS` months, the last with all that is left.
 * @example const [schedule] = deferredSchedule(invoices, now)
 */
export const deferredSchedule = figure(scheduleByCurrency)

/** Returns the sum of each customer's invoices up to the end of the current month, with tax and credits. @example const [ranking] = invoicedByCustomer(invoices, now) */
export const invoicedByCustomer = figure(customerRankings)

/** Returns the sum of each plan's lines up to the end of the current month, without discount and tax. @example const best = billedByPlan(invoices, now)[0]?.rows[0] */
export const billedByPlan = figure(planRankings)

/** Returns the sum of each customer's lines up to the end of the current month, without discounts and tax. @example const best = billedByCustomer(invoices, now)[0]?.rows[0] */
export const billedByCustomer = figure(netCustomerRankings)

/**
 * Returns the sum of the lines of each segment's customers up to the end of the current month, without discounts and tax.
 * @example const [ranking] = billedBySegment(invoices, now, { segmentOf: segmentsBy(customers, 'country') })
 */
export const billedBySegment = figureWith(segmentRankings)

/**
 * Returns the sum of the amounts that each discount took off up to the end of the current month. The discounts of an
 * invoice that names several are one row, since its lines do not name theirs.
 * @example const [ranking] = discountedByDiscount(invoices, now)
 */
export const discountedByDiscount = figure(discountRankings)

/** Returns the number of invoices, when the newest one was created, and the number of cases of each kind that the figures cannot take into account. @example const { complete, recordedUntil } = coverageOf(invoices, now) */
export const coverageOf = figure((dataset) => coverageIn(dataset, findingsIn(dataset)))

/** Returns the invoices that `coverageOf` counts: a finding for each invoice, line or period that the figures cannot take into account. @example const ids = findingsOf(invoices, now).filter(({ fact }) => fact === 'overlappingLines').map(({ invoice_id }) => invoice_id) */
export const findingsOf = figure(findingsIn)

/** Returns the changes that `movementsByMonth` adds up, each with its customer, of all months, oldest first. @example const changes = movementsOf(invoices, now) */
export const movementsOf = figure(movementsIn)

/**
 * Returns the movements of `movementsOf`, each with the customer's recurring revenue before and after it, and why it grew or
 * shrank: another plan, quantity, interval or price, a discount that began or ended, or a credit.
 * @example const byCoupon = explainedMovementsOf(invoices, now).filter(({ reasons }) => reasons.some(({ kind }) => kind === 'discount'))
 */
export const explainedMovementsOf = figure(explainedMovements)

/** Returns who the new, reactivated and lost customers of `customersByMonth` are, of all months, oldest first. @example const changes = customerChangesOf(invoices, now) */
export const customerChangesOf = figure(customerChanges)

/**
 * Returns the current status of each subscription with recurring lines: its plans, whether it is active, and until when. A
 * customer's monthly value in a currency is the sum over the customer's subscriptions.
 * @example const active = subscriptionsNow(invoices, now).filter(({ active }) => active)
 */
export const subscriptionsNow = figure(subscriptionStatuses)

/**
 * Returns the invoices that are expected in the current month and the eleven after it, in the order of their due times: each active
 * subscription renews its plans at the end of each billed period.
 * @example const late = expectedRenewals(invoices, now).filter((renewal) => renewal.late)
 */
export const expectedRenewals = figure(renewalsIn)

/** Returns the expected renewals by month, the current month first, for each currency. @example const next = renewalsByMonth(invoices, now)[0]?.months[1]?.amount */
export const renewalsByMonth = figure((dataset) => renewalsByCurrency(dataset, renewalsIn(dataset)))

/** Returns the recurring revenue now of the plans whose renewal is late, for each currency. @example const [late] = awaitingRenewal(invoices, now) */
export const awaitingRenewal = figure(revenueAwaitingRenewal)

/**
 * Returns the figures that a business needs together, by the names of their functions, and reads the invoices only once.
 * @example const { coverageOf } = figuresOf(invoices, now, 'Europe/Berlin')
 */
export const figuresOf = figure(figuresIn)
