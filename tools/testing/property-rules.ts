import { isRecord } from '../../shared/contract/schema.ts'
import { ApiError } from '../../shared/errors.ts'
import { quoted, truncated } from '../../shared/http/validation/quoted.ts'
import { suggestion } from '../../shared/http/validation/suggest.ts'
import { violationDetail } from '../../shared/http/validation/violations.ts'

/** The values that a property accepts, and their description in an error message. */
export interface PropertyRule {
  readonly expects: string
  accepts(value: unknown): boolean
}
/** The rules of an object's properties, by name. */
export type PropertyRules = Readonly<Record<string, PropertyRule>>

/** Returns the rule that a property is one of some values. */
export const oneOf = (...values: readonly unknown[]): PropertyRule => ({
  expects: `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  accepts: (value) => values.includes(value),
})

/** Returns the rule that a property is an integer, and not less than a minimum. */
export const integerFrom = (minimum: number): PropertyRule => ({
  expects: `an integer of at least ${minimum}`,
  accepts: (value) => Number.isInteger(value) && Number(value) >= minimum,
})

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Returns the problem with a property and its value; undefined if there is none. */
const problemOf = (name: string, value: unknown, rules: PropertyRules): string | undefined => {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  if (!rule) return `is not a field here${suggestion(name, Object.keys(rules))}`
  if (isAbsent(value) || rule.accepts(value)) return undefined
  return `must be ${rule.expects} (got ${quoted(value)})`
}

/**
 * Validates an object by the rules of its properties. Returns the properties that are not null: some languages send null for an
 * absent property. Throws ApiError with all problems. `path` is the start of the names in their messages.
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
