import { splitByCurrency, sumOf } from './groups.ts'

/** A monthly amount from `from` until just before `to`: both months, or both seconds since the epoch. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly monthly: number
}

/** A span whose amount was rounded. */
export interface RoundedSpan extends Span {
  /** The monthly amount that one minor unit of the recorded amount becomes, if it was extrapolated; otherwise 0. */
  readonly rounding: number
}

/** Returns the spans that cover a moment, such as the end of a month if they are in months. */
export const spansAt = <Item extends Span>(spans: readonly Item[], moment: number): Item[] =>
  spans.filter(({ from, to }) => from <= moment && moment < to)

export const monthlySum = (spans: readonly Span[]): number => sumOf(spans, ({ monthly }) => monthly)

/** A stretch of time in which no span begins or ends, and the sum of a value of the spans that cover it. */
interface Segment {
  readonly from: number
  readonly to: number
  readonly sum: number
}

/** Returns the segments of spans, oldest first, with the sums of the spans' values: `measure` returns a span's value, by default its monthly amount. */
export const segmentsOf = <Item extends Span>(
  spans: readonly Item[],
  measure: (span: Item) => number = ({ monthly }) => monthly,
): Segment[] => {
  const changes = new Map<number, number>()
  for (const span of spans) {
    const value = measure(span)
    changes.set(span.from, (changes.get(span.from) ?? 0) + value)
    changes.set(span.to, (changes.get(span.to) ?? 0) - value)
  }
  const times = [...changes.keys()].sort((a, b) => a - b)
  let sum = 0
  return times.slice(0, -1).map((from, index) => {
    sum += changes.get(from)!
    return { from, to: times[index + 1]!, sum }
  })
}

/** A tolerance for the last digits of a sum of fractions. They depend on the order of adding, which must not decide what cancels out. */
const LAST_DIGITS = 1e-6

/**
 * Returns whether a sum of charges and credits is no more than their roundings, above or below 0: a minor unit, and the sum of
 * their `rounding`. A share of the charges would be no measure: a customer may pay 5 beside 1,000 that were credited.
 */
export const isWithinRoundings = (sum: number, roundings: number): boolean =>
  Math.abs(sum) <= 1 + roundings + LAST_DIGITS

/** Returns the segments of a subscription in one currency in which charges and credits come to no more than their roundings. */
const cancelledSegments = (spans: readonly RoundedSpan[]): Segment[] => {
  if (!spans.some(({ monthly }) => monthly < 0)) return []
  const roundings = segmentsOf(spans, ({ rounding }) => rounding)
  const credits = segmentsOf(spans, ({ monthly }) => (monthly < 0 ? 1 : 0))
  return segmentsOf(spans).filter(({ sum }, index) => {
    const hasCredit = credits[index]!.sum > 0
    return hasCredit && isWithinRoundings(sum, roundings[index]!.sum)
  })
}

/** Returns the spans of a subscription in one currency without the times in which they cancel each other out. */
export const withoutCancelled = <Item extends RoundedSpan>(spans: readonly Item[]): readonly Item[] => {
  const cancelled = cancelledSegments(spans)
  if (cancelled.length === 0) return spans
  return spans.flatMap((span) => {
    const within = cancelled.filter(({ from, to }) => from < span.to && to > span.from)
    // The parts of the span before, between and after the cancelled segments.
    const starts = [span.from, ...within.map(({ to }) => to)]
    const ends = [...within.map(({ from }) => from), span.to]
    return starts
      .map((from, index) => ({ ...span, from, to: ends[index]! }))
      .filter(({ from, to }) => from < to)
  })
}

/** Returns the times in which the sum of amounts is above 0, as spans with the amount 1. */
export const activeSpans = (spans: readonly Span[]): Span[] => {
  const active: Span[] = []
  for (const { from, to, sum } of segmentsOf(spans)) {
    if (sum <= 0) continue
    const latest = active.at(-1)
    if (latest?.to === from) active[active.length - 1] = { ...latest, to }
    else active.push({ from, to, monthly: 1 })
  }
  return active
}

/** Returns the times in which the sum of amounts is above 0 in at least one currency, as spans with the amount 1. */
export const activeInAnyCurrency = (spans: readonly (Span & { readonly currency: string })[]): Span[] => {
  const currencies = splitByCurrency(spans)
  return currencies.length === 1 ? activeSpans(spans) : activeSpans(currencies.flatMap(activeSpans))
}
