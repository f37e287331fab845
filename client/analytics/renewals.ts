import { DAY } from './calendar.ts'
import type { ValuedLine } from './valued-lines.ts'

/** How long after its end a line counts without a renewal, in seconds. */
const GRACE = 3 * DAY

/** What is paid for of a subscription. */
interface PaidSubscription {
  readonly firstStart: number
  readonly lastStart: number
  /** The latest end of the lines that have begun, by their interval. */
  readonly latestEnds: ReadonlyMap<string, number>
}

const intervalKey = (unit: string, count: number): string => `${count} ${unit}`

const paidSubscription = (lines: readonly ValuedLine[], now: number): PaidSubscription => {
  let firstStart = Number.POSITIVE_INFINITY
  let lastStart = Number.NEGATIVE_INFINITY
  const latestEnds = new Map<string, number>()
  for (const { start, end, unit, count } of lines) {
    const interval = intervalKey(unit, count)
    firstStart = Math.min(firstStart, start)
    lastStart = Math.max(lastStart, start)
    if (start <= now) latestEnds.set(interval, Math.max(latestEnds.get(interval) ?? end, end))
  }
  return { firstStart, lastStart, latestEnds }
}

/** Returns the lines that ended less than three days ago and were not renewed: nobody knows yet whether they will be. */
export const linesAwaitingRenewal = (
  subscriptions: readonly (readonly ValuedLine[])[],
  now: number,
): ReadonlySet<ValuedLine> => {
  const hasEnded = ({ end }: ValuedLine): boolean => end <= now && now - end < GRACE
  const ended = subscriptions.flatMap((lines) => lines.filter(hasEnded))
  const customers = new Set(ended.map(({ invoice }) => invoice.customer_id))
  // What is paid for of all subscriptions of those customers, by their ids.
  const paid = new Map<string, PaidSubscription>()
  const subscriptionsOf = new Map<string, Set<string>>()
  for (const lines of subscriptions) {
    const charges = lines.filter(({ monthly }) => monthly > 0)
    const owners = charges.map(({ invoice }) => invoice.customer_id).filter((id) => customers.has(id))
    if (owners.length === 0) continue
    const id = charges[0]!.invoice.subscription_id
    paid.set(id, paidSubscription(charges, now))
    for (const owner of owners) {
      const ids = subscriptionsOf.get(owner) ?? new Set()
      subscriptionsOf.set(owner, ids.add(id))
    }
  }
  const isRenewed = ({ invoice, unit, count, end }: ValuedLine): boolean => {
    const own = paid.get(invoice.subscription_id)
    // An end at second 59 was moved by a second, and a renewal may begin at the end as it was recorded.
    if (own && own.lastStart >= end - 1) return true
    if (own && (own.latestEnds.get(intervalKey(unit, count)) ?? 0) > now) return true
    return [...(subscriptionsOf.get(invoice.customer_id) ?? [])].some((id) => {
      const { firstStart } = paid.get(id)!
      return id !== invoice.subscription_id && firstStart >= end - DAY && firstStart <= now
    })
  }
  return new Set(ended.filter((line) => !isRenewed(line)))
}
