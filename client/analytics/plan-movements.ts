import type { Dataset } from './dataset.ts'
import type { ActiveLine } from './lines/active-lines.ts'
import { byCurrency, compareTexts, groupsOf, splitByCurrency } from './lines/groups.ts'
import type { Plan } from './lines/invoice.ts'
import { monthlySum, spansAt } from './lines/spans.ts'
import { recordsByMonth } from './months.ts'
import { type Change, changesOf, movementsOfChanges, upToNow } from './movements.ts'
import type { PlanMovements } from './types.ts'

/** The part of a movement that is of one plan. */
interface PlanChange extends Change {
  readonly currency: string
  readonly plan: Plan
}

/** Returns by how much each plan of a customer grew or shrank from the end of the month before to that of a month. */
const planDifferences = (lines: readonly ActiveLine[], month: number) =>
  groupsOf(lines, ({ plan }) => plan.key)
    .map((group) => ({
      plan: group[0]!.plan,
      amount: monthlySum(spansAt(group, month)) - monthlySum(spansAt(group, month - 1)),
    }))
    .filter(({ amount }) => amount !== 0)

/**
 * Returns the parts of a change by plan. If some plans grew and others shrank, as in a change of plan, all of it is of the plan that
 * changed most in its direction.
 */
export const partsOf = (change: Change, lines: readonly ActiveLine[]): PlanChange[] => {
  const { currency } = lines[0]!
  const direction = Math.sign(change.amount)
  const differences = planDifferences(lines, change.month)
  const along = differences
    .filter(({ amount }) => Math.sign(amount) === direction)
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || compareTexts(a.plan.key, b.plan.key))
  if (along.length === differences.length)
    return along.map(({ plan, amount }) => ({ ...change, currency, plan, amount }))
  return [{ ...change, currency, plan: along[0]!.plan }]
}

/** Returns the movements of each plan in each month, for each currency. They add up to those of the whole. */
export const planMovements = (dataset: Dataset): PlanMovements[] => {
  const changes = dataset.customers
    .flatMap(splitByCurrency)
    .flatMap((lines) => changesOf(lines).flatMap((change) => partsOf(change, lines)))
  return byCurrency(upToNow(dataset, changes)).flatMap(([currency, ofCurrency]) =>
    groupsOf(ofCurrency, ({ plan }) => plan.key)
      .sort(([a], [b]) => compareTexts(a!.plan.key, b!.plan.key))
      .map((ofPlan) => {
        const movements = movementsOfChanges(dataset, ofPlan)
        const months = recordsByMonth(dataset.months, (index) => movements[index]!)
        return { currency, plan: ofPlan[0]!.plan, months }
      }),
  )
}
