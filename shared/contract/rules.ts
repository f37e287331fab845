import { parseDate } from './dates.ts'
import type { Fields } from './field.ts'
import { isRecord, type Values } from './schema.ts'

/** An invalid value of a request: its path (`line_items[2].currency`) and the problem ("must be …"). */
export interface Violation {
  readonly path: string
  readonly problem: string
}

/** A value of a request, and what is wrong with it. */
export interface Checked<Value> {
  readonly value: Value
  readonly violations: readonly Violation[]
}

export const valid = <Value>(value: Value): Checked<Value> => ({ value, violations: [] })

/**
 * A rule that JSON Schema cannot express. It receives an unvalidated body and ignores values of wrong types.
 */
export type Rule = (body: Values) => Violation[]

const secondsOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? parseDate(value) : undefined

/** The rule that a period must not end before it starts. */
export const periodOrderRule: Rule = ({ period_start, period_end }) => {
  const start = secondsOf(period_start)
  const end = secondsOf(period_end)
  if (start === undefined || end === undefined || end >= start) return []
  const problem = `must not be before period_start (got "${period_end}", before "${period_start}")`
  return [{ path: 'period_end', problem }]
}

export const forEachItem =
  (field: string, rule: Rule): Rule =>
  (body) => {
    const list = body[field]
    if (!Array.isArray(list)) return []
    return list.flatMap((item, index) => {
      if (!isRecord(item)) return []
      return rule(item).map(({ path, problem }) => ({ path: `${field}[${index}].${path}`, problem }))
    })
  }

/**
 * The rule for the body of a customer who is recorded as erased: every personal field is absent, null or its
 * placeholder. The error does not quote the value, because the sender wants it erased.
 */
export const noPersonalDataRule =
  (fields: Fields): Rule =>
  (body) => {
    const violations: Violation[] = []
    for (const [path, { personal }] of Object.entries(fields)) {
      const value = body[path]
      if (!personal || value === null || value === undefined || value === personal.placeholder) continue
      const { placeholder } = personal
      const allowed =
        placeholder === null ? 'absent or null' : `absent, null or ${JSON.stringify(placeholder)}`
      violations.push({ path, problem: `must be ${allowed} when erased is true` })
    }
    return violations
  }
