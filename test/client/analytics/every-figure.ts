import * as analytics from '../../../client/analytics/index.ts'

const {
  MAX_MONTHS,
  NO_SEGMENT,
  monthName,
  closingTime,
  segmentsBy,
  movementSums,
  planGrowth,
  cohortAverages,
  cohortsByQuarter,
  averageRevenue,
  customerChurn,
  grossChurn,
  netRetention,
  quickRatio,
  lifetime,
  lifetimeValue,
  figuresOf,
  explainedMovementsOf,
  revenueByClosedMonth,
  changesToClosedMonths,
  deferredLines,
  untaxedInvoices,
  movementsByPlan,
  trialsByMonth,
  discountsByMonth,
  departuresOf,
  billedBySegment,
  movementsBySegment,
  taxByMonth,
  taxByQuarter,
  ...figures
} = analytics

/** Every exported function that computes one figure of `figuresOf`, by name. A new export is one of them unless it is left out above. */
export const everyFigure = figures

const segmentOf = (customerId: string): string => customerId

/** Gives a figure by segment its option. */
const bySegment =
  <Result>(
    compute: (
      invoices: readonly analytics.Invoice[],
      now: number,
      options: analytics.FigureOptions & analytics.BySegment,
    ) => Result,
  ) =>
  (
    invoices: readonly analytics.Invoice[],
    now: number,
    options: string | analytics.FigureOptions = {},
  ): Result =>
    compute(invoices, now, {
      segmentOf,
      ...(typeof options === 'string' ? { timeZone: options } : options),
    })

/** The figures that `figuresOf` leaves out, by name. */
export const furtherFigures = {
  explainedMovementsOf,
  revenueByClosedMonth,
  changesToClosedMonths,
  deferredLines,
  untaxedInvoices,
  movementsByPlan,
  trialsByMonth,
  discountsByMonth,
  departuresOf,
  billedBySegment: bySegment(billedBySegment),
  movementsBySegment: bySegment(movementsBySegment),
  taxByMonth: bySegment(taxByMonth),
  taxByQuarter: bySegment(taxByQuarter),
}
