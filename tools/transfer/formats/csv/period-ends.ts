import { calendarOf, DAY, offsetIn } from '../../../../client/analytics/lines/calendar.ts'
import { parseDate } from '../../../../shared/contract/dates.ts'
import { invoice } from '../../../../shared/resources/invoice.ts'
import { CommandError } from '../../../cli/command.ts'
import type { Row } from '../../row.ts'
import { isLocal, isoText, withoutZone } from './dates.ts'
import type { RecordStore } from './record-store.ts'

/** How files write the ends of periods: as the last day, minute or second of a period, or as the first moment after it. */
export const periodEnds = ['inclusive', 'exclusive'] as const
export type PeriodEnds = (typeof periodEnds)[number]

const HOUR = 3_600

/** What follows the last day, minute or second of a period, as a local time; undefined for any other local time. */
const nextAfter = (local: number): number | undefined => {
  if (local % DAY === 0) return local + DAY
  if (local % 60 === 59) return local + 1
  return local % HOUR === HOUR - 60 ? local + 60 : undefined
}

/**
 * Returns the first moment after a period that ends with a date, in the form of the date. Undefined if the date is not the last day,
 * minute or second of a period. A day at midnight is the whole day, because spreadsheets write days in this way.
 */
export const exclusiveEnd = (date: string): string | undefined => {
  const local = parseDate(withoutZone(date))
  const next = local === undefined ? undefined : nextAfter(local)
  if (local === undefined || next === undefined) return undefined
  if (!isLocal(date)) return isoText(parseDate(date)! + next - local)
  return new Date(next * 1_000).toISOString().slice(0, date.length === 'YYYY-MM-DD'.length ? 10 : 19)
}

interface DatedPeriod {
  readonly place: string
  readonly start: number
  readonly end: number
}

type Values = Readonly<Record<string, unknown>>

const momentIn = (value: unknown): number | undefined =>
  typeof value === 'string' ? parseDate(value) : undefined

const periodIn = ({ period_start, period_end }: Values, place: string): DatedPeriod[] => {
  const start = momentIn(period_start)
  const end = momentIn(period_end)
  return start !== undefined && end !== undefined && start < end ? [{ place, start, end }] : []
}

const periodsIn = ({ file, row, data, partPlaces = [] }: Row): DatedPeriod[] => {
  const values = data as Values
  const lines = Array.isArray(values.line_items) ? (values.line_items as Values[]) : []
  return [
    ...periodIn(values, `line ${row} of ${file}`),
    ...lines.flatMap((line, index) => periodIn(line, partPlaces[index] ?? `line ${row} of ${file}`)),
  ]
}

interface CheckedFiles {
  /** How the user says that they write ends. */
  readonly ends: PeriodEnds | undefined
  /** The time zone of the files. */
  readonly zone: string | undefined
  readonly store: RecordStore
}

/**
 * Finds periods whose end may be inclusive, in files for which the user has not said so, and periods whose end may be exclusive where
 * the user says that it is inclusive: their figures would be wrong in every month.
 */
export const periodEndsCheck = ({ ends, zone, store }: CheckedFiles) => {
  const calendar = calendarOf(zone ?? 'UTC')
  const offsetAt = offsetIn(zone ?? 'UTC')
  const shown = (moment: number): string =>
    isoText(moment + offsetAt(moment))
      .replace('T00:00:00Z', '')
      .replace(/Z$/, '')
  const refusal = ({ place, end }: DatedPeriod, next: number, reason: string) =>
    new CommandError(
      `${place}: period_end ${shown(end)} may be inclusive, because ${reason}. --ends inclusive reads it as ${shown(next)}, --ends exclusive as it is. Nothing is recorded`,
    )

  /** Throws CommandError for a period that would be whole months if its end were inclusive. */
  const refuseWholeMonths = (period: DatedPeriod): void => {
    const { start, end } = period
    const local = end + offsetAt(end)
    const nextLocal = nextAfter(local)
    if (nextLocal === undefined) return
    // Clocks may change during the last day.
    const next = local % DAY === 0 ? calendar.shift(end, 'day', 1) : end + nextLocal - local
    const months = calendar.monthOf(next) - calendar.monthOf(start)
    if (months > 0 && calendar.shift(start, 'month', months) === next)
      throw refusal(
        period,
        next,
        `the period would then be ${months === 1 ? 'a month' : `${months} months`} from ${shown(start)}`,
      )
  }

  /** Throws CommandError for a period that is a day longer than whole months, and was written as whole months. */
  const refuseDayTooLong = ({ place, start, end }: DatedPeriod): void => {
    const written = calendar.shift(end, 'day', -1)
    const months = calendar.monthOf(written) - calendar.monthOf(start)
    if (months > 0 && calendar.shift(start, 'month', months) === written)
      throw new CommandError(
        `${place}: period_end ${shown(written)} may be exclusive, because the period is then ${months === 1 ? 'a month' : `${months} months`} from ${shown(start)}. --ends inclusive reads it as ${shown(end)}, --ends exclusive as it is. Nothing is recorded`,
      )
  }

  return {
    /** Throws CommandError for a period that would be whole months if its end were read in the other way. */
    add: (row: Row): void => {
      if (row.type !== invoice.name || row.result || ends === 'exclusive') return
      const periods = periodsIn(row)
      for (const period of periods) (ends === 'inclusive' ? refuseDayTooLong : refuseWholeMonths)(period)
      if (ends === 'inclusive') return
      const { subscription_id } = row.data as Values
      if (subscription_id === undefined) return
      for (const period of periods) store.addPeriod({ ...period, subscription: String(subscription_id) })
    },
    /** Throws CommandError if a period ends up to a day before the next one of its subscription begins. */
    requireNoGaps: (): void => {
      const found = store.periodBeforeGap(DAY)
      if (found)
        throw refusal(
          found,
          found.next,
          `the next period of the subscription "${found.subscription}" begins on ${shown(found.next)}`,
        )
    },
  }
}
