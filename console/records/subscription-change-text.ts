import type { ExplainedMovement } from '../../client/analytics/index.ts'
import { monthText } from '../text/dates.ts'
import { capitalised, changeText } from '../text/format.ts'
import { reasonText } from './reason-text.ts'

/** Returns the description of a change of a subscription, by the kind of its movement. */
export const subscriptionChangeText = (kind: string, isCurrentMonth: boolean): string => {
  if (kind === 'new') return 'began'
  if (kind === 'reactivation') return 'resumed'
  if (kind === 'churn') return 'ended'
  return changeText(kind, isCurrentMonth)
}

/** Returns the reasons of a movement, separated by semicolons; empty if there are none. */
export const reasonsText = ({ reasons }: ExplainedMovement): string => reasons.map(reasonText).join('; ')

/**
 * Returns the last of the movements of a subscription, such as `Paying less, Nov 2026: plan: Fleet → Studio`; null if the
 * subscription has not changed since it began. `currentMonth` is the month that is not over.
 */
export const lastChangeText = (
  movements: readonly ExplainedMovement[],
  currentMonth: number,
): string | null => {
  const last = movements.at(-1)
  if (!last || last.kind === 'new') return null
  const change = capitalised(subscriptionChangeText(last.kind, last.month === currentMonth))
  const reasons = reasonsText(last)
  return `${change}, ${monthText(last.month)}${reasons && `: ${reasons}`}`
}
