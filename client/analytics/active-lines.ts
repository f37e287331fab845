import type { Calendar } from './calendar.ts'
import { groupsOf } from './groups.ts'
import type { ValuedLine } from './valued-lines.ts'

/** A monthly amount from `from` until just before `to`: both months, or both seconds since the epoch. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly monthly: number
}

/** A line, and the months at the end of which it is paid for. The current month counts as it is now. */
export type ActiveLine = ValuedLine & Span

/** How long after its end a subscription counts as active without a renewal, in seconds. */
const GRACE = 3 * 86_400

/** Returns the periods between the times at which a span begins or ends, with the sums in each; `positive` is that above 0. */
export const segmentsOf = (spans: readonly Span[]) => {
  const changes = new Map<number, { sum: number; positive: number }>()
  const change = (at: number, monthly: number, sign: number) => {
    const { sum, positive } = changes.get(at) ?? { sum: 0, positive: 0 }
    changes.set(at, { sum: sum + sign * monthly, positive: positive + sign * Math.max(0, monthly) })
  }
  for (const { from, to, monthly } of spans) {
    change(from, monthly, 1)
    change(to, monthly, -1)
  }
  const times = [...changes.keys()].sort((a, b) => a - b)
  let [sum, positive] = [0, 0]
  return times.slice(0, -1).map((from, index) => {
    sum += changes.get(from)!.sum
    positive += changes.get(from)!.positive
    return { from, to: times[index + 1]!, sum, positive }
  })
}

/** Returns whether charges and credits cancel each other out, except for the rounding of credits. */
const isCancelledOut = ({ sum, positive }: ReturnType<typeof segmentsOf>[number]): boolean =>
  Math.abs(sum) < positive / 100

/** Returns the spans of a subscription in one currency without the periods in which they cancel each other out. */
export const withoutCancelled = <Item extends Span>(spans: readonly Item[]): Item[] => {
  const gaps = spans.some(({ monthly }) => monthly < 0) ? segmentsOf(spans).filter(isCancelledOut) : []
  if (gaps.length === 0) return [...spans]
  return spans.flatMap((span) => {
    const within = gaps.filter(({ from, to }) => from < span.to && to > span.from)
    const ends = [...within.map(({ from }) => from), span.to]
    const starts = [span.from, ...within.map(({ to }) => to)]
    return ends
      .map((to, index) => ({ ...span, from: starts[index]!, to }))
      .filter(({ from, to }) => from < to)
  })
}

/** Returns the periods, as amounts of 1, in which the sum of amounts is above 0. */
export const activeSpans = (spans: readonly Span[]): Span[] =>
  segmentsOf(spans).flatMap(({ from, to, sum }) => (sum > 0 ? [{ from, to, monthly: 1 }] : []))

/** Returns the periods, as amounts of 1, in which the sum of amounts is above 0 in at least one currency. */
export const activeInAnyCurrency = (spans: readonly (Span & { readonly currency: string })[]): Span[] =>
  activeSpans(groupsOf(spans, ({ currency }) => currency).flatMap(activeSpans))

/** Returns a function that returns until when a line is active: for some days after its end if no renewal is recorded. */
const activeUntil = (lines: readonly ValuedLine[], now: number) => {
  const lastStarts = new Map<string, number>()
  for (const { invoice, start } of lines) {
    const known = lastStarts.get(invoice.subscription_id) ?? start
    lastStarts.set(invoice.subscription_id, Math.max(known, start))
  }
  return ({ invoice, end }: ValuedLine): number => {
    // An end at second 59 was moved by a second, and a renewal may begin at the end as it was recorded.
    const isRenewed = lastStarts.get(invoice.subscription_id)! >= end - 1
    return end <= now && now - end < GRACE && !isRenewed ? now + 1 : end
  }
}

/** Returns the lines that are active at the end of some month or now, without those that are cancelled out. */
export const activeLinesOf = (
  lines: readonly ValuedLine[],
  now: number,
  calendar: Calendar,
): ActiveLine[] => {
  const untilOf = activeUntil(lines, now)
  const current = calendar.monthOf(now)
  const active = lines.flatMap((line): ActiveLine[] => {
    const until = untilOf(line)
    const from = calendar.monthOf(line.start)
    const to = until > now ? current + 1 : calendar.monthOf(until)
    return line.start <= now && from < to ? [{ ...line, from, to }] : []
  })
  return groupsOf(active, ({ invoice, currency }) => `${currency} ${invoice.subscription_id}`).flatMap(
    withoutCancelled,
  )
}
