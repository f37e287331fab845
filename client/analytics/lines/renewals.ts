import { DAY } from './calendar.ts'
import type { ValuedLine } from './valued-lines.ts'

/** How long after its end a line counts without a renewal, in seconds. */
const GRACE = 3 * DAY

/** When the charges of a subscription start and end, in seconds since the epoch. */
interface BilledSubscription {
  readonly id: string
  readonly firstStart: number
  readonly lastStart: number
  /** The latest end of the lines that have begun, by their interval. */
  readonly latestEnds: ReadonlyMap<string, number>
}

const intervalKey = (unit: string, count: number): string => `${count} ${unit}`

const billedSubscription = (lines: readonly ValuedLine[], now: number): BilledSubscription => {
  let firstStart = Number.POSITIVE_INFINITY
  let lastStart = Number.NEGATIVE_INFINITY
  const latestEnds = new Map<string, number>()
  for (const { start, end, unit, count } of lines) {
    const interval = intervalKey(unit, count)
    firstStart = Math.min(firstStart, start)
    lastStart = Math.max(lastStart, start)
    if (start <= now) latestEnds.set(interval, Math.max(latestEnds.get(interval) ?? end, end))
  }
  return { id: lines[0]!.invoice.subscription_id, firstStart, lastStart, latestEnds }
}

/** Returns the lines that ended less than three days ago and were not renewed. They may still be renewed, so they count. */
export const linesAwaitingRenewal = (
  subscriptions: readonly (readonly ValuedLine[])[],
  now: number,
): ReadonlySet<ValuedLine> => {
  const hasJustEnded = ({ end }: ValuedLine): boolean => end <= now && now - end < GRACE
  const ended = subscriptions.flatMap((lines) => lines.filter(hasJustEnded))
  const customers = new Set(ended.map(({ invoice }) => invoice.customer_id))
  const billedSubscriptions = new Map<string, BilledSubscription>()
  // The two subscriptions of each customer that began last: for any subscription, the latest other one is among them.
  const latestByCustomer = new Map<string, readonly BilledSubscription[]>()
  for (const lines of subscriptions) {
    const charges = lines.filter(({ monthly }) => monthly > 0)
    const owners = charges.map(({ invoice }) => invoice.customer_id).filter((id) => customers.has(id))
    if (owners.length === 0) continue
    const billed = billedSubscription(charges, now)
    billedSubscriptions.set(billed.id, billed)
    if (billed.firstStart > now) continue
    for (const owner of new Set(owners)) {
      const latest = [...(latestByCustomer.get(owner) ?? []), billed]
      latestByCustomer.set(owner, latest.sort((a, b) => b.firstStart - a.firstStart).slice(0, 2))
    }
  }
  const isRenewed = ({ invoice, unit, count, end }: ValuedLine): boolean => {
    const own = billedSubscriptions.get(invoice.subscription_id)
    // An end at second 59 was moved by a second, and a renewal may begin at the end as it was recorded.
    if (own && own.lastStart >= end - 1) return true
    if (own && (own.latestEnds.get(intervalKey(unit, count)) ?? 0) > now) return true
    // Another subscription of the customer that began in time is the renewal under another id.
    const others = latestByCustomer.get(invoice.customer_id) ?? []
    return others.some(({ id, firstStart }) => id !== invoice.subscription_id && firstStart >= end - DAY)
  }
  return new Set(ended.filter((line) => !isRenewed(line)))
}
