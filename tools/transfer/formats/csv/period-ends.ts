import { DAY } from '../../../../client/analytics/lines/calendar.ts'
import { CommandError } from '../../../cli/command.ts'
import { dateText } from '../../date-text.ts'
import type { RecordValues } from './cells.ts'
import { calendarIn, momentIn, nextAfter } from './dates.ts'
import type { Notation } from './notation.ts'
import type { SheetRecordStore, SubscriptionPeriod } from './record-store.ts'

interface DatedPeriod extends Pick<SubscriptionPeriod, 'place' | 'start' | 'end'> {
  /** Whether the end is in the last minute or second of a day, which has only one reading. */
  readonly hasLastTime: boolean
}

/** `place` is that of the invoice. */
const periodIn = ({ values, cells }: RecordValues, place: string): DatedPeriod | undefined => {
  const { period_start, period_end } = values
  const start = momentIn(period_start)
  const end = momentIn(period_end)
  if (start === undefined || end === undefined || start >= end) return undefined
  const written = cells.period_end ?? { place, cell: String(period_end) }
  return {
    place: `${written.place}: period_end "${written.cell}"`,
    hasLastTime: /:59\b/.test(written.cell),
    start,
    end,
  }
}

/**
 * Finds periods whose end may be inclusive, in files for which the user has not said so, and periods whose end may be exclusive where
 * the user says that it is inclusive: their figures would be wrong in every month.
 */
export const periodEndsCheck = ({ ends, zone = 'UTC' }: Notation, store: SheetRecordStore) => {
  const calendar = calendarIn(zone)
  const shown = (moment: number): string =>
    dateText(calendar.localTime(moment)).replace('T00:00:00Z', '').replace(/Z$/, '')
  const refusal = (place: string, reason: string, inclusive: number) => {
    const other = ends === 'inclusive' ? 'exclusive' : 'inclusive'
    const both =
      ends === 'inclusive'
        ? ' Where a file has both kinds, write the inclusive ones with 23:59:59, and give --ends exclusive.'
        : ''
    return new CommandError(
      `${place} may be ${other}, because ${reason}. --ends inclusive reads it as ${shown(inclusive)}, --ends exclusive as it is.${both} Nothing is recorded`,
    )
  }

  /** The months from a moment to a later one, or 0 if they are not whole months. */
  const wholeMonths = (start: number, end: number): number => {
    const months = calendar.monthOf(end) - calendar.monthOf(start)
    return calendar.shift(start, 'month', months) === end ? months : 0
  }
  const lengthFrom = (start: number, months: number): string =>
    `${months === 1 ? 'a month' : `${months} months`} from ${shown(start)}`

  /** Throws CommandError for a period that would be whole months if its end were inclusive. */
  const refuseWholeMonths = ({ place, start, end }: DatedPeriod): void => {
    const local = calendar.localTime(end)
    const nextLocal = nextAfter(local)
    if (nextLocal === undefined) return
    // Clocks may change during the last day.
    const next = local % DAY === 0 ? calendar.shift(end, 'day', 1) : end + nextLocal - local
    const months = wholeMonths(start, next)
    if (months > 0) throw refusal(place, `the period would then be ${lengthFrom(start, months)}`, next)
  }

  /** The end of a period as it is in its file, if the period was whole weeks or months before its end was read as inclusive. */
  const writtenEnd = ({ start, end, hasLastTime }: DatedPeriod) => {
    if (hasLastTime) return {}
    const written = calendar.shift(end, 'day', -1)
    const days = (calendar.localTime(written) - calendar.localTime(start)) / DAY
    const months = wholeMonths(start, written)
    // A period from the last day of a month to that of a shorter one is more likely to be whole with an inclusive end.
    const hasSameDay = months > 0 && calendar.shift(written, 'month', -months) === start
    return months > 0 || (days > 0 && days % 7 === 0) ? { written, months: hasSameDay ? months : 0 } : {}
  }

  return {
    /** `records` are those of an invoice. Throws CommandError for a period that would be whole months with an inclusive end. */
    add: (records: readonly RecordValues[], invoicePlace: string, subscription: unknown): void => {
      if (ends === 'exclusive') return
      for (const record of records) {
        const period = periodIn(record, invoicePlace)
        if (!period) continue
        if (ends === undefined) refuseWholeMonths(period)
        const stored = { ...period, subscription: subscription === undefined ? null : String(subscription) }
        store.addPeriod(ends === 'inclusive' ? { ...stored, ...writtenEnd(period) } : stored)
      }
    },
    /**
     * Throws CommandError if a period ends up to a day before the next one of its subscription begins or, with inclusive ends, if
     * the next one begins on its last day, or it was whole months without that day and none begins after it.
     */
    requireFit: (): void => {
      if (ends === 'inclusive') {
        const found = store.periodOfOtherEnd()
        if (!found) return
        const { place, start, end, written, months, subscription, isFollowed } = found
        const reason = isFollowed
          ? `the next period of the subscription "${subscription}" begins on ${shown(written)}`
          : `the period is then ${lengthFrom(start, months)}`
        throw refusal(place, reason, end)
      }
      const found = store.periodBeforeGap(DAY)
      if (!found) return
      const { place, next, subscription } = found
      const reason = `the next period of the subscription "${subscription}" begins on ${shown(next)}`
      throw refusal(place, reason, next)
    },
  }
}

export type PeriodEndsCheck = ReturnType<typeof periodEndsCheck>
