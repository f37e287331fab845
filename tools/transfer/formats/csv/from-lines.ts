import { parseDate } from '../../../../shared/contract/dates.ts'
import { plainNumber } from '../../exact-json.ts'
import type { Part } from './parts.ts'

/** What an invoice's lines say of it, where the file of invoices has no column for it. */

type Derived = { readonly value: unknown } | { readonly problem: string } | undefined

/** Returns the dates in a field of parts that are valid, as text and in seconds. */
const datesIn = (parts: readonly Part[], field: string) => {
  const dates: { text: string; time: number }[] = []
  for (const { values } of parts) {
    const text = values[field]
    const time = typeof text === 'string' ? parseDate(text) : undefined
    if (time !== undefined) dates.push({ text: text as string, time })
  }
  return dates
}

/** Returns the date in a field of the lines that is the earliest or, with `last`, the latest; undefined if no line has one. */
const dateFrom = (parts: readonly Part[], field: string, last = false): Derived => {
  const sorted = datesIn(parts, field).sort((a, b) => a.time - b.time)
  const found = last ? sorted.at(-1) : sorted[0]
  return found && { value: found.text }
}

const subscriptionFrom = (parts: readonly Part[]): Derived => {
  const named = new Set(parts.map(({ shared }) => shared.subscription_id))
  const [only] = named
  if (named.size === 1) return only === undefined ? undefined : { value: only }
  const names = [...named].map((name) => (name === undefined ? 'none' : `"${name}"`)).join(' and ')
  return {
    problem: `subscription_id must be one that all lines of the invoice name (its lines name ${names}): give the file of invoices a column subscription_id.`,
  }
}

const integerIn = (part: Part, field: string): bigint | undefined => {
  const value = plainNumber(part.values[field] ?? 0)
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
}

const totalFrom = (parts: readonly Part[]): Derived => {
  let total = 0n
  for (const part of parts) {
    const amount = part.values.amount === undefined ? undefined : integerIn(part, 'amount')
    const discount = integerIn(part, 'discount_amount')
    // The line is refused, or has no amount to add.
    if (amount === undefined || discount === undefined) return undefined
    if (integerIn(part, 'tax_amount') !== 0n)
      return {
        problem: `total must be in the file of invoices, since ${part.origin} has a tax, which may be within its amount or on top.`,
      }
    total += amount - discount
  }
  return { value: Number(total) }
}

const derivations: Readonly<Record<string, (parts: readonly Part[]) => Derived>> = {
  period_start: (parts) => dateFrom(parts, 'period_start'),
  period_end: (parts) => dateFrom(parts, 'period_end', true),
  subscription_id: subscriptionFrom,
  total: totalFrom,
  created: (parts) => dateFrom(parts, 'period_start'),
}

/** What lines say of their invoice. */
export interface FromLines {
  /** The values by field. */
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly string[]
}

/** Returns the fields of an invoice that lines say, of those that `lacks` says the file of invoices has no column for. */
export const fieldsFromLines = (parts: readonly Part[], lacks: (field: string) => boolean): FromLines => {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [field, derive] of Object.entries(derivations)) {
    const found = lacks(field) && parts.length > 0 ? derive(parts) : undefined
    if (found && 'value' in found) values[field] = found.value
    if (found && 'problem' in found) problems.push(found.problem)
  }
  return { values, problems }
}

/**
 * Returns what is wrong with values that lines name and their invoice has otherwise, or not, although its file has the column;
 * undefined if nothing is.
 */
export const disagreementOf = (
  values: Readonly<Record<string, unknown>>,
  parts: readonly Part[],
  lacks: (field: string) => boolean,
): string | undefined => {
  for (const { shared, origin } of parts)
    for (const [field, value] of Object.entries(shared)) {
      if (lacks(field) || values[field] === value) continue
      const own = values[field] === undefined ? 'none' : `"${values[field]}"`
      return `${field} must be the same in the invoice (${own}) and in its lines (${origin} has "${value}").`
    }
  return undefined
}
