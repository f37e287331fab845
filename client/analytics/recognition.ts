import type { Dataset } from './dataset.ts'
import { byCurrency } from './groups.ts'
import { MAX_MONTHS, monthsBetween, recordsByMonth } from './months.ts'
import type { RecognisedLine } from './recognised-lines.ts'
import { rounded } from './recurring-lines.ts'
import type { CurrencyMonths, RevenueMonth, ScheduledMonth } from './types.ts'

/** Returns amount × part ÷ whole, of integers, rounded half away from zero. */
const shareOf = (amount: number, part: number, whole: number): number => {
  const product = amount * part
  // Up to here, the quotient of floats is on the right side of a half.
  if (Math.abs(product) < 2 ** 52) return rounded(product / whole)
  const [dividend, divisor] = [2n * BigInt(Math.abs(amount)) * BigInt(part), 2n * BigInt(whole)]
  return Math.sign(amount) * Number((dividend + divisor / 2n) / divisor)
}

/** Returns the amount of a line that is recognised before a moment. */
const recognisedUntil = ({ net, start, end }: RecognisedLine, moment: number): number => {
  if (moment >= end) return net
  return moment <= start ? 0 : shareOf(net, moment - start, end - start)
}

/**
 * Returns the amounts of lines that are billed and recognised in each period, given the periods' ends; the first period has no
 * start. Also returns, for each end, the amount recognised before it of lines that are billed at that end or later.
 */
const recognitionOf = (lines: readonly RecognisedLine[], ends: readonly number[]) => {
  const billed = ends.map(() => 0)
  const recognised = ends.map(() => 0)
  const unbilled = ends.map(() => 0)
  const indexOf = (moment: number): number => {
    const index = ends.findIndex((end) => end > moment)
    return index < 0 ? ends.length : index
  }
  for (const line of lines) {
    const created = indexOf(line.created)
    if (created < ends.length) billed[created]! += line.net
    let before = 0
    for (let index = indexOf(line.start); index < ends.length; index += 1) {
      if (before === line.net && index >= created) break
      const until = recognisedUntil(line, ends[index]!)
      recognised[index]! += until - before
      if (index < created) unbilled[index]! += until
      before = until
    }
  }
  return { billed, recognised, unbilled }
}

/** Returns what is billed, recognised, deferred and unbilled by month, for each currency. */
export const revenueByCurrency = (dataset: Dataset): CurrencyMonths<RevenueMonth>[] => {
  const { months, calendar, now } = dataset
  // The first period is all time before the first month.
  const ends = [...months.map(calendar.startOf), now]
  return byCurrency(dataset.recognised).map(([currency, lines]) => {
    const { billed, recognised, unbilled } = recognitionOf(lines, ends)
    let notRecognised = 0
    const deferred = ends.map((_, index) => {
      notRecognised += billed[index]! - recognised[index]!
      return notRecognised + unbilled[index]!
    })
    const recordAt = (index: number) => ({
      billed: billed[index + 1]!,
      recognised: recognised[index + 1]!,
      deferred: deferred[index + 1]!,
      unbilled: unbilled[index + 1]!,
    })
    return { currency, months: recordsByMonth(months, recordAt) }
  })
}

/** Returns how much of the amount that is deferred now will be recognised in each month, for each currency. */
export const scheduleByCurrency = (dataset: Dataset): CurrencyMonths<ScheduledMonth>[] => {
  const { calendar, now, currentMonth } = dataset
  const isBilled = ({ created }: RecognisedLine): boolean => created < now
  let lastSecond = now
  for (const line of dataset.recognised) if (isBilled(line)) lastSecond = Math.max(lastSecond, line.end - 1)
  const lastMonth = Math.min(calendar.monthOf(lastSecond), currentMonth + MAX_MONTHS - 1)
  const months = monthsBetween(currentMonth, lastMonth)
  // The first period is all time until now; the last month has all that is left.
  const ends = [now, ...months.slice(1).map(calendar.startOf), Number.POSITIVE_INFINITY]
  return byCurrency(dataset.recognised).map(([currency, lines]) => {
    const { recognised } = recognitionOf(lines.filter(isBilled), ends)
    return {
      currency,
      months: recordsByMonth(months, (index) => ({ recognised: recognised[index + 1]! })),
    }
  })
}
