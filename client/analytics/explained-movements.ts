import type { Dataset } from './dataset.ts'
import type { ActiveLine } from './lines/active-lines.ts'
import { monthsPerUnit } from './lines/calendar.ts'
import { sumOf } from './lines/groups.ts'
import type { Plan } from './lines/invoice.ts'
import { afterDiscount } from './lines/line-properties.ts'
import { isWithinRoundings, monthlySum, spansAt } from './lines/spans.ts'
import { movementsIn } from './movements.ts'
import { partsOf } from './plan-movements.ts'
import type { ExplainedMovement, MovementReason } from './types.ts'

/** A plan that a customer has at the end of a month, with the sums of its lines. Amounts are in minor units a month. */
interface Holding {
  readonly plan: Plan
  readonly quantity: number
  /** The intervals in which it is billed, such as `1 month`. */
  readonly intervals: string
  /** Before discounts. */
  readonly gross: number
  readonly discount: number
  /** The names of the discounts on the lines' invoices, joined; empty if there are none. */
  readonly discountNames: string
  /** The sum of the credits that do not take back a charge: not above 0. */
  readonly credit: number
  /** The monthly amounts that one minor unit of each charge becomes, summed. Roundings change the gross amount by half as much. */
  readonly rounding: number
}

/** Returns whether a credit takes back a charge: they are of one subscription, and differ by no more than their roundings. */
const isReversalOf = (credit: ActiveLine, charge: ActiveLine): boolean =>
  credit.invoice.subscription_id === charge.invoice.subscription_id &&
  isWithinRoundings(charge.monthly + credit.monthly, charge.rounding + credit.rounding)

/**
 * Returns the charges and the credits of a plan. Leaves out each credit that takes back a charge, such as the credit for the rest
 * of a month in an upgrade, and the charge that it takes back.
 */
const withoutReversals = (
  lines: readonly ActiveLine[],
): { readonly charges: readonly ActiveLine[]; readonly credits: readonly ActiveLine[] } => {
  const charges = lines.filter(({ monthly }) => monthly >= 0)
  const credits: ActiveLine[] = []
  for (const credit of lines.filter(({ monthly }) => monthly < 0)) {
    const reversed = charges.findIndex((charge) => isReversalOf(credit, charge))
    if (reversed === -1) credits.push(credit)
    else charges.splice(reversed, 1)
  }
  return { charges, credits }
}

/** Returns the monthly amount of a charge before its discount, not rounded. */
const grossOf = ({ line, monthly, unit, count }: ActiveLine): number => {
  const amount = line.amount ?? 0
  const charged = afterDiscount(line)
  if (charged > 0) return (monthly * amount) / charged
  // The discount takes off everything, so the monthly amount, which is 0, does not show the gross amount.
  return amount / (monthsPerUnit.get(unit)! * count)
}

/** Returns the gross monthly amount that a minor unit of a charge becomes: a unit of its amount, or of its rounded monthly amount. */
const roundingOf = (charge: ActiveLine): number => {
  const gross = grossOf(charge)
  const perUnitOfAmount = charge.line.amount ? gross / charge.line.amount : 0
  const perUnitOfMonthly = charge.monthly === 0 ? 0 : gross / charge.monthly
  return Math.max(1, perUnitOfAmount, perUnitOfMonthly)
}

/** Returns each distinct text once, in alphabetical order and joined by " + ". */
const joinDistinct = (texts: readonly string[]): string => [...new Set(texts)].sort().join(' + ')

const discountNamesOf = (charges: readonly ActiveLine[]): string => {
  const discounted = charges.filter(({ line }) => (line.discount_amount ?? 0) > 0)
  return joinDistinct(discounted.flatMap(({ invoice }) => invoice.discounts.map(({ name }) => name)))
}

/** Returns the holding of a plan, given its charges and the sum of its credits. */
const holdingOf = (charges: readonly ActiveLine[], credit: number): Holding => ({
  plan: charges[0]!.plan,
  quantity: sumOf(charges, ({ line }) => line.quantity ?? 1),
  intervals: joinDistinct(charges.map(({ unit, count }) => `${count} ${unit}`)),
  gross: sumOf(charges, grossOf),
  discount: sumOf(charges, (charge) => grossOf(charge) - charge.monthly),
  discountNames: discountNamesOf(charges),
  credit,
  rounding: sumOf(charges, roundingOf),
})

/**
 * Returns the holdings of lines by the keys of their plans, and the sum of the credits for plans that are not held, such as a rebate
 * that is a plan of its own. A plan whose charges are all taken back is not held.
 */
const holdingsOf = (lines: readonly ActiveLine[]) => {
  const holdings = new Map<string, Holding>()
  let otherCredit = 0
  for (const [key, group] of Map.groupBy(lines, ({ plan }) => plan.key)) {
    const { charges, credits } = withoutReversals(group)
    const credit = monthlySum(credits)
    if (charges.length === 0) otherCredit += credit
    else holdings.set(key, holdingOf(charges, credit))
  }
  return { holdings, otherCredit }
}

const planNames = (holdings: readonly Holding[]): string | null =>
  holdings.length === 0 ? null : joinDistinct(holdings.map(({ plan }) => plan.name ?? 'No plan named'))

/** Returns one reason with all plans that ended and were added; none if the plans are the same. */
const planReasons = (
  before: ReadonlyMap<string, Holding>,
  after: ReadonlyMap<string, Holding>,
): MovementReason[] => {
  const ended = [...before.values()].filter(({ plan }) => !after.has(plan.key))
  const added = [...after.values()].filter(({ plan }) => !before.has(plan.key))
  if (ended.length === 0 && added.length === 0) return []
  return [{ kind: 'plan', plan: null, before: planNames(ended), after: planNames(added) }]
}

/** Returns whether a plan is discounted. A discount of at most half a minor unit a month does not count. */
const hasDiscount = ({ discount }: Holding): boolean => discount > 0.5

/** Returns the names of a plan's discounts, or "a discount" if their invoices name none; null if it has no discount. */
const discountLabel = (holding: Holding): string | null =>
  hasDiscount(holding) ? holding.discountNames || 'a discount' : null

/** Returns whether a discount began, ended or takes off another share of the plan's amount. */
const isDiscountChanged = (before: Holding, after: Holding): boolean => {
  if (hasDiscount(before) !== hasDiscount(after)) return true
  if (!hasDiscount(after)) return false
  const shareBefore = before.discount / before.gross
  const shareAfter = after.discount / after.gross
  // Both the amount and its discount are rounded, each by half a minor unit.
  const tolerance = before.rounding / before.gross + after.rounding / after.gross
  return Math.abs(shareBefore - shareAfter) > tolerance
}

/** Returns whether a unit of a plan costs another amount, by more than a minor unit and more than roundings explain. */
const isRepriced = (before: Holding, after: Holding): boolean => {
  if (before.intervals !== after.intervals) return false
  const priceBefore = before.gross / before.quantity
  const priceAfter = after.gross / after.quantity
  const roundings = (before.rounding / before.quantity + after.rounding / after.quantity) / 2
  return Math.abs(priceBefore - priceAfter) > Math.max(1, roundings)
}

/** Returns the reasons why a customer is billed another amount for a plan that they had and still have. */
const reasonsForPlan = (before: Holding, after: Holding): MovementReason[] => {
  const plan = after.plan
  const reasons: MovementReason[] = []
  if (before.quantity !== after.quantity)
    reasons.push({ kind: 'quantity', plan, before: String(before.quantity), after: String(after.quantity) })
  if (before.intervals !== after.intervals)
    reasons.push({ kind: 'interval', plan, before: before.intervals, after: after.intervals })
  if (isDiscountChanged(before, after))
    reasons.push({ kind: 'discount', plan, before: discountLabel(before), after: discountLabel(after) })
  if (before.credit !== after.credit) reasons.push({ kind: 'credit', plan, before: null, after: null })
  if (isRepriced(before, after)) reasons.push({ kind: 'price', plan, before: null, after: null })
  return reasons
}

/** Returns the reasons for a change between the lines that are active at the end of a month and of the next. */
const reasonsOf = (
  linesBefore: readonly ActiveLine[],
  linesAfter: readonly ActiveLine[],
): MovementReason[] => {
  const { holdings: before, otherCredit: otherCreditBefore } = holdingsOf(linesBefore)
  const { holdings: after, otherCredit } = holdingsOf(linesAfter)
  const kept = [...after.values()].filter(({ plan }) => before.has(plan.key))
  const reasons = [
    ...planReasons(before, after),
    ...kept.flatMap((holding) => reasonsForPlan(before.get(holding.plan.key)!, holding)),
  ]
  if (otherCreditBefore !== otherCredit)
    reasons.push({ kind: 'credit', plan: null, before: null, after: null })
  return reasons
}

/** Returns the movements, oldest first, with the customer's recurring revenue before and after each, the plans, and why it grew or shrank. */
export const explainedMovements = (dataset: Dataset): ExplainedMovement[] => {
  const keyOf = (customer_id: string, currency: string) => `${customer_id} ${currency}`
  const linesByCustomer = Map.groupBy(dataset.activeLines, ({ invoice, currency }) =>
    keyOf(invoice.customer_id, currency),
  )
  return movementsIn(dataset).map((movement) => {
    const lines = linesByCustomer.get(keyOf(movement.customer_id, movement.currency)) ?? []
    const linesBefore = spansAt(lines, movement.month - 1)
    const linesAfter = spansAt(lines, movement.month)
    const isChange = movement.kind === 'expansion' || movement.kind === 'contraction'
    const before = monthlySum(linesBefore)
    return {
      ...movement,
      before,
      after: before + movement.amount,
      plans: partsOf(movement, lines).map(({ plan, amount }) => ({ ...plan, amount })),
      reasons: isChange ? reasonsOf(linesBefore, linesAfter) : [],
    }
  })
}
