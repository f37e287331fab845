import type { ActiveLine } from './active-lines.ts'
import { monthsPerUnit } from './calendar.ts'
import type { Dataset } from './dataset.ts'
import { groupsOf } from './groups.ts'
import { movementsIn } from './movements.ts'
import type { ExplainedMovement, MovementReason, Plan } from './types.ts'

/** What a customer has of a plan at the end of a month. Amounts are in minor units a month. */
interface Holding {
  readonly plan: Plan
  readonly quantity: number
  /** The intervals in which it is paid for, such as `1 month`. */
  readonly intervals: string
  /** Before discounts. */
  readonly gross: number
  readonly discount: number
  /** The names of the discounts, if their invoices name them. */
  readonly discountNames: string
  /** Credits that are not the reversal of a charge: not above 0. */
  readonly credit: number
}

/** A reversal may differ by rounding, by this share of the amount that it takes back. */
const ROUNDING = 0.01

const isReversalOf = (credit: ActiveLine, charge: ActiveLine): boolean =>
  credit.invoice.subscription_id === charge.invoice.subscription_id &&
  Math.abs(charge.monthly + credit.monthly) <= Math.max(1, charge.monthly * ROUNDING)

/**
 * Returns the lines of a plan without those that another line takes back, such as the credit of the rest of a month in an
 * upgrade, and without what it takes back.
 */
const withoutReversals = (lines: readonly ActiveLine[]) => {
  const charges = lines.filter(({ monthly }) => monthly >= 0)
  const credits: ActiveLine[] = []
  for (const credit of lines.filter(({ monthly }) => monthly < 0)) {
    const reversed = charges.findIndex((charge) => isReversalOf(credit, charge))
    if (reversed >= 0) charges.splice(reversed, 1)
    else credits.push(credit)
  }
  return { charges, credits }
}

/** Returns the monthly amount of a charge before its discount. */
const grossOf = ({ line, monthly, unit, count }: ActiveLine): number => {
  const amount = line.amount ?? 0
  const rest = amount - (line.discount_amount ?? 0)
  return rest > 0 ? (monthly * amount) / rest : amount / (monthsPerUnit.get(unit)! * count)
}

const sumOf = <Item>(items: readonly Item[], amountOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0)

const distinct = (texts: readonly string[]): string => [...new Set(texts)].sort().join(' + ')

const discountNamesOf = (charges: readonly ActiveLine[]): string => {
  const discounted = charges.filter(({ line }) => (line.discount_amount ?? 0) > 0)
  return distinct(discounted.flatMap(({ invoice }) => invoice.discounts.map(({ name }) => name)))
}

const holdingOf = (lines: readonly ActiveLine[]): Holding | undefined => {
  const { charges, credits } = withoutReversals(lines)
  if (charges.length === 0) return undefined
  return {
    plan: lines[0]!.plan,
    quantity: sumOf(charges, ({ line }) => line.quantity ?? 1),
    intervals: distinct(charges.map(({ unit, count }) => `${count} ${unit}`)),
    gross: sumOf(charges, grossOf),
    discount: sumOf(charges, (charge) => grossOf(charge) - charge.monthly),
    discountNames: discountNamesOf(charges),
    credit: sumOf(credits, ({ monthly }) => monthly),
  }
}

/** Returns what lines come to, by the plan's key. A plan that is charged and taken back is not held. */
const holdingsOf = (lines: readonly ActiveLine[]): ReadonlyMap<string, Holding> => {
  const holdings = new Map<string, Holding>()
  for (const group of groupsOf(lines, ({ plan }) => plan.key)) {
    const holding = holdingOf(group)
    if (holding) holdings.set(holding.plan.key, holding)
  }
  return holdings
}

/** Returns the sum of the credits of plans that are not charged, such as a rebate. */
const creditsAlone = (lines: readonly ActiveLine[]): number => {
  const groups = groupsOf(lines, ({ plan }) => plan.key).map(withoutReversals)
  const uncharged = groups.filter(({ charges }) => charges.length === 0)
  return sumOf(
    uncharged.flatMap(({ credits }) => credits),
    ({ monthly }) => monthly,
  )
}

const namesOf = (holdings: readonly Holding[]): string | null =>
  holdings.length === 0 ? null : distinct(holdings.map(({ plan }) => plan.name ?? 'No plan named'))

/** Returns the change of plans, if any was added or ended. */
const planReasons = (
  before: ReadonlyMap<string, Holding>,
  after: ReadonlyMap<string, Holding>,
): MovementReason[] => {
  const ended = [...before.values()].filter(({ plan }) => !after.has(plan.key))
  const added = [...after.values()].filter(({ plan }) => !before.has(plan.key))
  if (ended.length === 0 && added.length === 0) return []
  return [{ kind: 'plan', plan: null, before: namesOf(ended), after: namesOf(added) }]
}

/** A discount of less than this share is a rounding. */
const hasDiscount = ({ gross, discount }: Holding): boolean => discount > Math.max(0.5, gross / 10_000)

const discountReason = (
  before: Holding,
  after: Holding,
): Pick<MovementReason, 'before' | 'after'> | undefined => {
  const label = (holding: Holding) => (hasDiscount(holding) ? holding.discountNames || 'a discount' : null)
  if (hasDiscount(before) !== hasDiscount(after)) return { before: label(before), after: label(after) }
  if (!hasDiscount(after)) return undefined
  const shareBefore = before.discount / before.gross
  const shareAfter = after.discount / after.gross
  return Math.abs(shareBefore - shareAfter) > ROUNDING
    ? { before: label(before), after: label(after) }
    : undefined
}

/** Whether a unit of a plan costs another amount. Amounts of a month are rounded, so a unit's differs by less than one. */
const isRepriced = (before: Holding, after: Holding): boolean => {
  if (before.intervals !== after.intervals) return false
  const difference = Math.abs(before.gross / before.quantity - after.gross / after.quantity)
  return difference > Math.max(1, (before.gross / before.quantity) * 0.001)
}

/** Returns why a customer pays another amount for a plan that they had and still have. */
const reasonsWithin = (before: Holding, after: Holding): MovementReason[] => {
  const plan = after.plan
  const reasons: MovementReason[] = []
  if (before.quantity !== after.quantity)
    reasons.push({ kind: 'quantity', plan, before: String(before.quantity), after: String(after.quantity) })
  if (before.intervals !== after.intervals)
    reasons.push({ kind: 'interval', plan, before: before.intervals, after: after.intervals })
  const discount = discountReason(before, after)
  if (discount) reasons.push({ kind: 'discount', plan, ...discount })
  if (before.credit !== after.credit) reasons.push({ kind: 'credit', plan, before: null, after: null })
  if (isRepriced(before, after)) reasons.push({ kind: 'price', plan, before: null, after: null })
  return reasons
}

const reasonsOf = (
  linesBefore: readonly ActiveLine[],
  linesAfter: readonly ActiveLine[],
): MovementReason[] => {
  const before = holdingsOf(linesBefore)
  const after = holdingsOf(linesAfter)
  const kept = [...after.values()].filter(({ plan }) => before.has(plan.key))
  const reasons = [
    ...planReasons(before, after),
    ...kept.flatMap((holding) => reasonsWithin(before.get(holding.plan.key)!, holding)),
  ]
  if (creditsAlone(linesBefore) !== creditsAlone(linesAfter))
    reasons.push({ kind: 'credit', plan: null, before: null, after: null })
  return reasons
}

/** Returns the movements with the customer's recurring revenue before and after them, and why it grew or shrank. */
export const explainedMovements = (dataset: Dataset): ExplainedMovement[] => {
  const keyOf = (customer_id: string, currency: string) => `${customer_id} ${currency}`
  const linesByCustomer = Map.groupBy(dataset.activeLines, ({ invoice, currency }) =>
    keyOf(invoice.customer_id, currency),
  )
  return movementsIn(dataset).map((movement) => {
    const lines = linesByCustomer.get(keyOf(movement.customer_id, movement.currency)) ?? []
    const activeIn = (month: number) => lines.filter(({ from, to }) => from <= month && month < to)
    const linesBefore = activeIn(movement.month - 1)
    const linesAfter = activeIn(movement.month)
    const isChange = movement.kind === 'expansion' || movement.kind === 'contraction'
    const before = sumOf(linesBefore, ({ monthly }) => monthly)
    return {
      ...movement,
      before,
      after: before + movement.amount,
      reasons: isChange ? reasonsOf(linesBefore, linesAfter) : [],
    }
  })
}
