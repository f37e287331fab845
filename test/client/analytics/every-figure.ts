import * as analytics from '../../../client/analytics/index.ts'

const {
  MAX_MONTHS,
  NO_SEGMENT,
  monthName,
  segmentsBy,
  movementSums,
  planGrowth,
  cohortAverages,
  cohortsByQuarter,
  billedBySegment,
  movementsBySegment,
  averageRevenue,
  customerChurn,
  grossChurn,
  netRetention,
  figuresOf,
  explainedMovementsOf,
  closingTime,
  revenueByClosedMonth,
  changesToClosedMonths,
  ...figures
} = analytics

/** Every exported function that computes one figure of `figuresOf`, by name. A new export is one of them unless it is left out above. */
export const everyFigure = figures

/** The figures that `figuresOf` leaves out, by name. */
export const furtherFigures = { explainedMovementsOf, revenueByClosedMonth, changesToClosedMonths }
