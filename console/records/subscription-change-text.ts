import type { ExplainedMovement } from '../../client/analytics/index.ts'
import { monthText } from '../text/dates.ts'
import { changeText } from '../text/format.ts'
import { reasonsText } from './reason-text.ts'

/**
 * Returns the last of the movements of a subscription, such as `Contraction, Nov 2026: plan: Fleet → Studio`; null if the
 * subscription has not changed since it began. `currentMonth` is the month that is not over.
 */
export const lastChangeText = (
  movements: readonly ExplainedMovement[],
  currentMonth: number,
): string | null => {
  const last = movements.at(-1)
  if (!last || last.kind === 'new') return null
  const reasons = reasonsText(last)
  return `${changeText(last.kind, last.month === currentMonth)}, ${monthText(last.month)}${reasons && `: ${reasons}`}`
}
