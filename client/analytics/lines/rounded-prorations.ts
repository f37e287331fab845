import { AVERAGE_MONTH, monthsPerUnit } from './calendar.ts'
import { rounded } from './line-properties.ts'
import { fullIntervalAmount, hasPriceOfInterval } from './price-shares.ts'
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

/** Returns whether an amount's share for a part of a period rounds to 0. */
const roundsTo0 = (amount: number, { start, end }: ValuedLine, length: number): boolean =>
  Math.abs(amount) * (end - start) < length

const isRoundedCredit = (line: ValuedLine, ended: ValuedLine): boolean =>
  roundsTo0(ended.line.amount ?? 0, line, ended.end - ended.start)

/** Returns a line with its price as its amount; undefined if its share of the price does not round to 0. */
const chargeOf = (line: ValuedLine): ValuedLine | undefined => {
  if (!hasPriceOfInterval(line)) return undefined
  const months = monthsPerUnit.get(line.unit)! * line.count
  const intervalNet = fullIntervalAmount(line.line)
  if (!roundsTo0(intervalNet, line, months * AVERAGE_MONTH)) return undefined
  return { ...line, monthly: rounded(intervalNet / months), intervalNet, units: line.count, rounding: 0 }
}

/**
 * Returns the lines with the prorations that were rounded to 0, as in the last minutes of a period. A line of 0 beside the charge of
 * the same change is the credit of the line that it ends, and beside a credit it is the charge. Alone it may be anything, and stays 0.
 */
export const withRoundedProrations = (lines: readonly ValuedLine[]): readonly ValuedLine[] => {
  const customers = new Set(lines.filter(isProrationOf0).map(({ invoice }) => invoice.customer_id))
  if (customers.size === 0) return lines
  const concerned = lines.filter(({ invoice }) => customers.has(invoice.customer_id))
  const charges = concerned.filter(({ monthly }) => monthly > 0)
  const changesWithCharge = new Set(charges.map(changeKey))
  const changesWithCredit = new Set(concerned.filter(({ monthly }) => monthly < 0).map(changeKey))
  const charged = new Map(charges.map((charge) => [creditKey(charge), charge]))
  return lines.map((line) => {
    if (!isProrationOf0(line)) return line
    const change = changeKey(line)
    const ended = changesWithCharge.has(change) ? charged.get(creditKey(line)) : undefined
    if (ended && isRoundedCredit(line, ended)) return creditOf(line, ended)
    return (changesWithCredit.has(change) && chargeOf(line)) || line
  })
}
