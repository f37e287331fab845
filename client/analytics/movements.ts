import { type Book, chartOf, named, sortedGroups } from './book.ts'
import { type Holding, type Span, segmentsOf } from './holdings.ts'
import type { Chart, Month, Movement, MovementName } from './types.ts'

/** A change of what is held, at the end of a month, from what it was at the end of the month before. */
interface Step {
  readonly month: Month
  readonly name: MovementName
  readonly amount: number
}

const nameOf = (before: number, after: number, wasActive: boolean): MovementName => {
  if (before <= 0 && after > 0) return wasActive ? 'Reactivation' : 'New'
  if (before > 0 && after <= 0) return 'Churn'
  return after > before ? 'Expansion' : 'Contraction'
}

/** Returns the changes of what amounts come to, oldest first. */
const stepsOf = (spans: readonly Span[]): Step[] => {
  const segments = segmentsOf(spans)
  const end = { from: segments.at(-1)?.to ?? 0, sum: 0 }
  let before = 0
  let wasActive = false
  return [...segments, end].flatMap(({ from, sum }): Step[] => {
    if (sum === before) return []
    const step = { month: from, name: nameOf(before, sum, wasActive), amount: sum - before }
    before = sum
    wasActive ||= sum > 0
    return [step]
  })
}

/** Returns when amounts come to more than 0, as amounts of 1. */
export const activeOf = (spans: readonly Span[]): Span[] =>
  segmentsOf(spans).flatMap(({ from, to, sum }) => (sum > 0 ? [{ from, to, monthly: 1 }] : []))

/** Returns when at least one of the currencies comes to more than 0. */
export const activeInAny = (holdings: readonly (Span & { readonly currency: string })[]): Span[] =>
  activeOf([...Map.groupBy(holdings, ({ currency }) => currency).values()].flatMap(activeOf))

/** Returns the changes of each customer's recurring revenue, oldest first, also those before the first month of charts. */
export const movementsIn = ({ holdings, now, calendar }: Book): Movement[] => {
  const groups = Map.groupBy(holdings, ({ invoice, currency }) => `${invoice.customer_id} ${currency}`)
  const movements = [...groups.values()].flatMap((held) => {
    const { invoice, currency } = held[0]!
    return stepsOf(held).map((step) => ({ ...step, customer_id: invoice.customer_id, currency }))
  })
  const last = calendar.monthOf(now)
  return movements.filter(({ month }) => month <= last).sort((a, b) => a.month - b.month)
}

/** Returns the function that adds up the steps of some names in each month. */
const totalsOf = ({ months }: Book, steps: readonly Step[]) => {
  const first = months[0]!
  return (...names: readonly MovementName[]): number[] => {
    const totals = months.map(() => 0)
    for (const { month, name, amount } of steps)
      if (month >= first && names.includes(name)) totals[month - first]! += amount
    return totals
  }
}

/** Returns what steps have come to at the end of each month. */
const endsOf = ({ months }: Book, steps: readonly Step[]): number[] => {
  const changes = new Map<Month, number>()
  for (const { month, amount } of steps) {
    const at = Math.max(month, months[0]!)
    changes.set(at, (changes.get(at) ?? 0) + amount)
  }
  let end = 0
  return months.map((month) => {
    end += changes.get(month) ?? 0
    return end
  })
}

/** Returns the movements of the recurring revenue, a chart for each currency. */
export const movementsChart = (book: Book): Chart[] => {
  const byCurrency = Map.groupBy(movementsIn(book), ({ currency }) => currency)
  return sortedGroups(book.lines, ({ currency }) => currency).map(([currency]) => {
    const steps = byCurrency.get(currency) ?? []
    const totals = totalsOf(book, steps)
    const ends = endsOf(book, steps)
    const names = ['New', 'Reactivation', 'Expansion', 'Contraction', 'Churn'] as const
    const series = names.map((name) => named(name, totals(name)))
    const moved = series.map(({ values }) => values)
    const starts = ends.map((end, index) => moved.reduce((rest, values) => rest - values[index]!, end))
    return chartOf(book, currency, [named('Start', starts), ...series, named('End', ends)])
  })
}

/** Returns the steps of being active, each of 1, of what holdings are of: customers or subscriptions. */
const comingsAndGoings = ({ holdings, now, calendar }: Book, of: (holding: Holding) => string): Step[] => {
  const last = calendar.monthOf(now)
  const groups = [...Map.groupBy(holdings, of).values()]
  return groups.flatMap((held) => stepsOf(activeInAny(held))).filter(({ month }) => month <= last)
}

const negative = (values: readonly number[]): number[] => values.map((value) => 0 - value)

/** Returns how many customers are active, and how many came, came back and left. */
export const customersChart = (book: Book): Chart => {
  const steps = comingsAndGoings(book, ({ invoice }) => invoice.customer_id)
  const totals = totalsOf(book, steps)
  return chartOf(book, undefined, [
    named('Active', endsOf(book, steps)),
    named('New', totals('New')),
    named('Reactivated', totals('Reactivation')),
    named('Lost', negative(totals('Churn'))),
  ])
}

/** Returns how many subscriptions are active, and how many came and left. */
export const subscriptionsChart = (book: Book): Chart => {
  const steps = comingsAndGoings(book, ({ invoice }) => invoice.subscription_id)
  const totals = totalsOf(book, steps)
  return chartOf(book, undefined, [
    named('Active', endsOf(book, steps)),
    named('New', totals('New', 'Reactivation')),
    named('Lost', negative(totals('Churn'))),
  ])
}
