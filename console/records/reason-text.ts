import type {
  Departure,
  ExplainedMovement,
  MovementReason,
  MovementReasonKind,
} from '../../client/analytics/index.ts'
import { monthText } from '../text/dates.ts'
import { changeText, recurrence } from '../text/format.ts'

/** Returns intervals such as "1 month + 3 month" as "monthly and every 3 months"; an empty text without an interval. */
const intervalsText = (intervals: string | null): string =>
  (intervals ?? '')
    .split(' + ')
    .map((interval) => {
      const [count = '1', unit = ''] = interval.split(' ')
      return recurrence(unit, Number(count))
    })
    .join(' and ')

/** Why the recurring revenue of a customer changed, such as `plan: Basic → Pro` or `discount ended: Welcome`. */
const reasonText = ({ kind, plan, before, after }: MovementReason): string => {
  const planPrefix = plan?.name ? `${plan.name}: ` : ''
  if (kind === 'plan') {
    if (before === null) return `plan added: ${after}`
    return after === null ? `plan ended: ${before}` : `plan: ${before} → ${after}`
  }
  if (kind === 'quantity') return `${planPrefix}quantity ${before} → ${after}`
  if (kind === 'interval') return `${planPrefix}${intervalsText(before)} → ${intervalsText(after)}`
  if (kind === 'price') return `${planPrefix}price changed`
  if (kind === 'credit') return `${planPrefix}credit`
  if (before === null) return `discount began: ${after}`
  return after === null ? `discount ended: ${before}` : `discount changed: ${after}`
}

// A discount can begin or end for several plans at once, and its text names none of them.
export const reasonsText = ({ reasons }: ExplainedMovement): string =>
  [...new Set(reasons.map(reasonText))].join('; ')

/** Such as `Contraction, Nov 2026: plan: Fleet → Studio`; null if the subscription has not changed since it began. */
export const lastChangeText = (
  movements: readonly ExplainedMovement[],
  currentMonth: number,
): string | null => {
  const last = movements.at(-1)
  if (!last || last.kind === 'new') return null
  const reasons = reasonsText(last)
  return `${changeText(last.kind, last.month === currentMonth)}, ${monthText(last.month)}${reasons && `: ${reasons}`}`
}

/** Why a customer was lost. In the current month, the renewal may only be more than three days late. */
export const departureText = ({ reason }: Departure, isCurrentMonth: boolean): string =>
  isCurrentMonth && reason === 'not renewed' ? 'not renewed, or over 3 days late' : reason

const namesByReason: Readonly<Record<MovementReasonKind | Departure['reason'], string>> = {
  plan: 'Plan',
  quantity: 'Quantity',
  interval: 'Interval',
  price: 'Price',
  discount: 'Discount',
  credit: 'Credit',
  credited: 'Lost, credited',
  'not renewed': 'Lost, not renewed',
}

export const reasonNames: Readonly<Record<string, string>> = namesByReason
