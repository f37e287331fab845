import { DAY } from './calendar.ts'
import type { ValuedLine } from './valued-lines.ts'

const byStart = (a: ValuedLine, b: ValuedLine): number =>
  a.start - b.start || a.end - b.end || (a.invoice.id < b.invoice.id ? -1 : 1)

const planKey = ({ currency, plan }: ValuedLine): string => `${currency} ${plan.key}`

/** Returns whether one of the sorted times is at `from`, at `until`, or between them. */
const hasTimeBetween = (sorted: readonly number[], from: number, until: number): boolean => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (sorted[middle]! < from) low = middle + 1
    else high = middle
  }
  return low < sorted.length && sorted[low]! <= until
}

/** Returns whether a line begins more than a day before the end of one that began before. Most subscriptions have none. */
const haveOverlap = (charges: readonly ValuedLine[]): boolean => {
  let latestEnd = Number.NEGATIVE_INFINITY
  return charges.some(({ start, end }) => {
    const isOverlapping = latestEnd - start > DAY
    latestEnd = Math.max(latestEnd, end)
    return isOverlapping
  })
}

/** Returns functions that tell whether a charge is renewed, and whether it renews one, by another charge of its plan. */
const renewalsAmong = (charges: readonly ValuedLine[]) => {
  const timesByPlan = new Map(
    [...Map.groupBy(charges, planKey)].map(([key, lines]) => [
      key,
      {
        starts: lines.map(({ start }) => start),
        ends: lines.map(({ end }) => end).sort((a, b) => a - b),
      },
    ]),
  )
  // A renewal begins less than a day before the end, or up to three days after it.
  return {
    isRenewed: (line: ValuedLine): boolean =>
      hasTimeBetween(timesByPlan.get(planKey(line))!.starts, line.end - DAY + 1, line.end + 3 * DAY),
    isRenewal: (line: ValuedLine): boolean =>
      hasTimeBetween(timesByPlan.get(planKey(line))!.ends, line.start - 3 * DAY, line.start + DAY - 1),
  }
}

/**
 * Returns the charges of a subscription for whole intervals that begin more than a day before the end of an earlier one which is
 * neither credited nor renewed: it was probably replaced. A charge that ends with the earlier one adds to it, and so does one
 * that renews a charge of another plan.
 */
export const overlapsIn = (lines: readonly ValuedLine[]): ValuedLine[] => {
  const charges = lines.filter(({ monthly }) => monthly > 0).sort(byStart)
  if (!haveOverlap(charges)) return []
  const credits = lines.filter(({ monthly }) => monthly < 0)
  const { isRenewed, isRenewal } = renewalsAmong(charges)
  const isCredited = (earlier: ValuedLine, later: ValuedLine): boolean =>
    credits.some(
      (credit) =>
        planKey(credit) === planKey(earlier) &&
        credit.start <= later.start &&
        credit.end >= Math.min(earlier.end, later.end),
    )
  const isReplaced = (earlier: ValuedLine, later: ValuedLine): boolean =>
    earlier.start < later.start &&
    earlier.end - later.start > DAY &&
    earlier.end !== later.end &&
    (planKey(earlier) === planKey(later) || !isRenewal(later)) &&
    !isCredited(earlier, later)
  // Of the charges of a plan with the same end, the first one stands for all.
  const notRenewed = new Map<string, ValuedLine>()
  return charges
    .filter(({ line, isWhole }) => line.type === 'recurring' && isWhole)
    .filter((later) => {
      const isTold = [...notRenewed.values()].some((earlier) => isReplaced(earlier, later))
      const key = `${planKey(later)} ${later.end}`
      if (!notRenewed.has(key) && !isRenewed(later)) notRenewed.set(key, later)
      return isTold
    })
}
