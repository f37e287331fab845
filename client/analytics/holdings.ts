import type { Calendar } from './calendar.ts'
import type { ValuedLine } from './recurring-lines.ts'
import type { Month } from './types.ts'

/** A monthly amount that counts from `from` until just before `to`. Both are months, or both are seconds. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly monthly: number
}

/** A line in the months at whose end, or now, it is paid for. */
export type Holding = ValuedLine & Span

/** A time in which the same amounts count. */
export interface Segment {
  readonly from: number
  readonly to: number
  readonly sum: number
  /** The sum of the amounts above 0. */
  readonly positive: number
}

const GRACE = 3 * 86_400

/** Returns what amounts come to between the times at which one of them begins or ends. Takes each amount once, however long it counts. */
export const segmentsOf = (spans: readonly Span[]): Segment[] => {
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

/** Returns whether amounts of a subscription come to nothing but what rounding left of its credits. */
const isNothing = ({ sum, positive }: Segment): boolean => Math.abs(sum) < positive / 100

/** Returns the amounts of a subscription in one currency without the times in which they come to nothing. */
export const countedOf = <Counted extends Span>(spans: readonly Counted[]): Counted[] => {
  const gaps = spans.some(({ monthly }) => monthly < 0) ? segmentsOf(spans).filter(isNothing) : []
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

const bySubscription = <Of extends ValuedLine>(lines: readonly Of[]): Of[][] => [
  ...Map.groupBy(lines, ({ invoice }) => invoice.subscription_id).values(),
]

/** Returns the function that returns when the last line of a subscription begins. */
const lastStartsOf = (lines: readonly ValuedLine[]) => {
  const starts = new Map<string, number>()
  for (const { invoice, start } of lines) {
    const known = starts.get(invoice.subscription_id) ?? start
    starts.set(invoice.subscription_id, Math.max(known, start))
  }
  return ({ invoice }: ValuedLine): number => starts.get(invoice.subscription_id)!
}

/** Returns the function that returns until when a line counts: in the days after its end also if nobody knows of a renewal. */
const paidUntil = (lines: readonly ValuedLine[], now: number) => {
  const lastStartOf = lastStartsOf(lines)
  return (line: ValuedLine): number =>
    line.end <= now && now - line.end < GRACE && lastStartOf(line) < line.end ? now + 1 : line.end
}

/** Returns lines in the months at whose end, or now, they are paid for and their subscription comes to more than rounding. */
export const holdingsOf = (lines: readonly ValuedLine[], now: number, calendar: Calendar): Holding[] => {
  const untilOf = paidUntil(lines, now)
  const current: Month = calendar.monthOf(now)
  const held = lines.flatMap((line): Holding[] => {
    const until = untilOf(line)
    const from = calendar.monthOf(line.start)
    const to = until > now ? current + 1 : calendar.monthOf(until)
    return line.start <= now && from < to ? [{ ...line, from, to }] : []
  })
  const groups = bySubscription(held).flatMap((of) => [
    ...Map.groupBy(of, ({ currency }) => currency).values(),
  ])
  return groups.flatMap(countedOf)
}
