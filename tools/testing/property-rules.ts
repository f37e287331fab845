import { isRecord } from '../../shared/contract/schema.ts'
import { ApiError } from '../../shared/errors.ts'
import { quoted, truncated } from '../../shared/http/validation/quoted.ts'
import { suggestion } from '../../shared/http/validation/suggest.ts'
import { violationDetail } from '../../shared/http/validation/violations.ts'

export interface PropertyRule {
  readonly expects: string
  accepts(value: unknown): boolean
}
export type PropertyRules = Readonly<Record<string, PropertyRule>>

export const oneOf = (...values: readonly unknown[]): PropertyRule => ({
  expects: `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  accepts: (value) => values.includes(value),
})

export const integerFrom = (minimum: number): PropertyRule => ({
  expects: `an integer of at least ${minimum}`,
  accepts: (value) => Number.isInteger(value) && Number(value) >= minimum,
})

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Undefined if there is none. */
const problemOf = (name: string, value: unknown, rules: PropertyRules): string | undefined => {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  if (!rule) return `is not a field here${suggestion(name, Object.keys(rules))}`
  if (isAbsent(value) || rule.accepts(value)) return undefined
  return `must be ${rule.expects} (got ${quoted(value)})`
}

/**
 * Without properties that are null: some languages send null for an absent property. Throws ApiError with all
 * problems. `path` is the start of the names in their messages.
 */
export const parseObject = (value: unknown, rules: PropertyRules, path = ''): object => {
  if (!isRecord(value)) throw new ApiError('invalid', `body must be a JSON object (got ${quoted(value)}).`)
  const entries = Object.entries(value)
  const problems: string[] = []
  for (const [name, propertyValue] of entries) {
    const problem = problemOf(name, propertyValue, rules)
    if (problem !== undefined) problems.push(violationDetail({ path: path + truncated(name), problem }))
  }
  if (problems.length > 0) throw new ApiError('invalid', problems)
  return Object.fromEntries(entries.filter(([, propertyValue]) => !isAbsent(propertyValue)))
}
