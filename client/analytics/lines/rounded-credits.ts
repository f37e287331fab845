import type { ValuedLine } from './valued-lines.ts'

/** Returns a line as the credit of another one. */
const creditOf = (line: ValuedLine, { monthly, intervalNet, units, rounding }: ValuedLine): ValuedLine => ({
  ...line,
  monthly: -monthly,
  intervalNet: -intervalNet,
  units,
  rounding,
})

const isProrationOf0 = ({ line }: ValuedLine): boolean => line.type === 'one_time' && line.amount === 0

/** What the two lines of a change have in common. */
const changeKey = ({ invoice, start, end }: ValuedLine): string =>
  `${invoice.customer_id} ${invoice.created} ${start} ${end}`

/** What a line and its credit have in common. */
const creditKey = ({ invoice, line, plan, unit, count, currency, end }: ValuedLine): string =>
  [invoice.subscription_id, plan.key, unit, count, currency, line.quantity ?? 1, end].join(' ')

/** Returns whether the share of a line's amount for a period rounds to 0. */
const roundsTo0 = ({ start, end }: ValuedLine, ended: ValuedLine): boolean =>
  Math.abs(ended.line.amount ?? 0) * (end - start) < ended.end - ended.start

/**
 * Returns the lines with the credits that were rounded to 0, as in the last minutes of a period: a line of 0 beside the charge of
 * the same change ends the line with its price. Alone it may be anything, and stays 0.
 */
export const withRoundedCredits = (lines: readonly ValuedLine[]): readonly ValuedLine[] => {
  const customers = new Set(lines.filter(isProrationOf0).map(({ invoice }) => invoice.customer_id))
  if (customers.size === 0) return lines
  const charges = lines.filter(({ monthly, invoice }) => monthly > 0 && customers.has(invoice.customer_id))
  const changes = new Set(charges.map(changeKey))
  const credited = new Map(charges.map((charge) => [creditKey(charge), charge]))
  return lines.map((line) => {
    if (!isProrationOf0(line) || !changes.has(changeKey(line))) return line
    const ended = credited.get(creditKey(line))
    return ended && roundsTo0(line, ended) ? creditOf(line, ended) : line
  })
}
