import { customerActivity, customerChanges, subscriptionActivity } from './activity.ts'
import { customerCohortsIn, revenueCohortsIn } from './cohorts.ts'
import { coverageIn } from './coverage.ts'
import type { Dataset } from './dataset.ts'
import { renewalsByCurrency, renewalsIn, revenueAwaitingRenewal } from './expected-renewals.ts'
import { findingsIn } from './findings.ts'
import {
  customerRankings,
  discountRankings,
  invoicedTotals,
  netCustomerRankings,
  planRankings,
} from './invoiced.ts'
import { movementsByCurrency, movementsIn } from './movements.ts'
import { revenueByCurrency, scheduleByCurrency } from './recognition.ts'
import { recurringRevenue } from './recurring-revenue.ts'
import { retentionIn } from './retention.ts'
import { subscriptionStatuses } from './subscriptions.ts'

/** Returns the figures that a business needs together, by the names of their public functions. None needs an option. */
export const figuresIn = (dataset: Dataset) => {
  const findings = findingsIn(dataset)
  const renewals = renewalsIn(dataset)
  return {
    invoicedByMonth: invoicedTotals(dataset),
    recurringByMonth: recurringRevenue(dataset),
    movementsByMonth: movementsByCurrency(dataset),
    retentionOver: retentionIn(dataset, {}),
    subscriptionsByMonth: subscriptionActivity(dataset),
    customersByMonth: customerActivity(dataset),
    customerCohorts: customerCohortsIn(dataset),
    revenueCohorts: revenueCohortsIn(dataset),
    revenueByMonth: revenueByCurrency(dataset),
    deferredSchedule: scheduleByCurrency(dataset),
    invoicedByCustomer: customerRankings(dataset),
    billedByCustomer: netCustomerRankings(dataset),
    billedByPlan: planRankings(dataset),
    discountedByDiscount: discountRankings(dataset),
    coverageOf: coverageIn(dataset, findings),
    findingsOf: findings,
    movementsOf: movementsIn(dataset),
    customerChangesOf: customerChanges(dataset),
    subscriptionsNow: subscriptionStatuses(dataset),
    expectedRenewals: renewals,
    renewalsByMonth: renewalsByCurrency(dataset, renewals),
    awaitingRenewal: revenueAwaitingRenewal(dataset),
  }
}

/** All figures of a business. @example const isComplete = (figures: Figures) => figures.coverageOf.complete */
export type Figures = ReturnType<typeof figuresIn>
