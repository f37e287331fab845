import type { Dataset } from './dataset.ts'
import { DAY } from './lines/calendar.ts'
import type { Coverage, Fact, Finding } from './types.ts'

const noFacts: Readonly<Record<Fact, number>> = {
  invoicesWithoutRecurringLine: 0,
  invoicesWithoutLines: 0,
  unassignedLines: 0,
  recurringWithoutInterval: 0,
  inclusiveEnds: 0,
  unequalTotals: 0,
  emptyPeriods: 0,
  differingPeriods: 0,
  overlappingLines: 0,
  lateCredits: 0,
}

/** Returns when the newest invoice up to now was created; undefined if there is none. */
const newestCreated = ({ invoices, now }: Dataset): number | undefined => {
  let newest: number | undefined
  for (const { created } of invoices)
    if (created <= now && (newest === undefined || created > newest)) newest = created
  return newest
}

/** Returns the number of invoices, the number of findings of each fact, and when the newest invoice was created. */
export const coverageIn = (dataset: Dataset, findings: readonly Finding[]): Coverage => {
  const counts = { ...noFacts }
  for (const { fact } of findings) counts[fact] += 1
  const recordedUntil = newestCreated(dataset)
  return {
    invoices: dataset.invoices.length,
    ...counts,
    recordedUntil,
    complete: recordedUntil === undefined || dataset.now - recordedUntil <= 3 * DAY,
  }
}
