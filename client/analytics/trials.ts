import type { Dataset } from './dataset.ts'
import { DAY } from './lines/calendar.ts'
import type { ValuedLine } from './lines/valued-lines.ts'
import { recordsByMonth } from './months.ts'
import { quotient } from './rates.ts'
import type { TrialsMonth } from './types.ts'

/** How long after a trial a line above 0 may begin that converts it, in seconds. */
const GRACE = 3 * DAY

/** Returns when the trial of a subscription ended; undefined if its first line is not 0. A line of 0 that follows extends the trial. */
const trialEnd = (lines: readonly ValuedLine[]): number | undefined => {
  const inOrder = [...lines].sort((a, b) => a.start - b.start || b.monthly - a.monthly)
  if (inOrder[0]!.monthly !== 0) return undefined
  let end = inOrder[0]!.end
  for (const line of inOrder) {
    if (line.monthly !== 0 || line.start > end + GRACE) break
    end = Math.max(end, line.end)
  }
  return end
}

/** Returns how many trials ended in each month, and how many of their subscriptions were billed soon after. */
export const trialsIn = (dataset: Dataset): TrialsMonth[] => {
  const { subscriptions, months, calendar, now } = dataset
  const counts = months.map(() => ({ ended: 0, converted: 0 }))
  for (const lines of subscriptions) {
    const end = trialEnd(lines)
    if (end === undefined || end > now) continue
    const count = counts[calendar.monthOf(end) - months[0]!]
    if (!count) continue
    count.ended += 1
    if (lines.some(({ monthly, start }) => monthly > 0 && start <= Math.min(end + GRACE, now)))
      count.converted += 1
  }
  return recordsByMonth(months, (index) => {
    const { ended, converted } = counts[index]!
    return { ended, converted, conversion: quotient(converted, ended) }
  })
}
