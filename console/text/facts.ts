import type { Fact } from '../../client/analytics/index.ts'

export const factTexts: Readonly<Record<Fact, string>> = {
  overlappingLines:
    'lines that begin while another one is billed, without a credit for it, so that both count',
  lateCredits: 'credits for months that were closed, which they change',
  recurringWithoutInterval: 'recurring lines without an interval, which count nowhere',
  differingPeriods:
    'recurring lines without a period of their own, if the period of their invoice does not fit their interval',
  unassignedLines: 'one-time lines that may be the unused part of a plan, but do not name a plan',
  inclusiveEnds: 'periods that end just before the next one begins, perhaps because their end is inclusive',
  emptyPeriods: 'recurring lines whose period has no length, which count nowhere',
  unequalTotals: 'invoices whose lines do not add up to the total',
  invoicesWithoutRecurringLine: 'invoices without a recurring line, which do not count as recurring revenue',
  invoicesWithoutLines: 'invoices without lines, whose totals are recognised, with tax',
}

export const facts = Object.keys(factTexts) as readonly Fact[]
