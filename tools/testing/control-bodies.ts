import { MAX_TIMER_MILLIS } from '../../client/timers.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { parseDate } from '../../shared/contract/dates.ts'
import { dateSchema } from '../../shared/contract/fields.ts'
import { isRecord } from '../../shared/contract/schema.ts'
import { ApiError } from '../../shared/errors.ts'
import { quoted, truncated } from '../../shared/http/validation/quoted.ts'
import { suggestion } from '../../shared/http/validation/suggest.ts'
import { violationDetail } from '../../shared/http/validation/violations.ts'
import type { Fault, InitialState } from './options.ts'
import { seedableResources } from './seed.ts'

interface PropertyRule {
  readonly expects: string
  accepts(value: unknown): boolean
}
type PropertyRules = Readonly<Record<string, PropertyRule>>

const isOneOf = (...values: readonly unknown[]): PropertyRule => ({
  expects: `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  accepts: (value) => values.includes(value),
})

const isInteger = (minimum: number): PropertyRule => ({
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
const parseObject = (value: unknown, rules: PropertyRules, path = ''): object => {
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

const delayInMillis: PropertyRule = {
  expects: `an integer from 0 to ${MAX_TIMER_MILLIS}`,
  accepts: (value) => isInteger(0).accepts(value) && Number(value) <= MAX_TIMER_MILLIS,
}
const isTime = (value: unknown): boolean => typeof value === 'string' && parseDate(value) !== undefined

const faultRules = {
  operation: isOneOf(...catalogue.map(({ id }) => id)),
  call: isInteger(1),
  times: isInteger(1),
  delay: delayInMillis,
  answer: isOneOf(429, 500, 503),
  retryAfter: isInteger(0),
  lose: isOneOf('request', 'answer'),
} satisfies Record<keyof Fault, PropertyRule>
const clockRules = { now: { expects: dateSchema.expects, accepts: isTime } }
const stateRules = {
  seed: {
    expects: 'an object of request bodies by resource, or "scenario"',
    accepts: (value) => value === 'scenario' || isRecord(value),
  },
  ...clockRules,
} satisfies Record<keyof InitialState, PropertyRule>
const listOfBodies: PropertyRule = { expects: 'a list of request bodies', accepts: Array.isArray }
const seedRules = Object.fromEntries(seedableResources.map((plural) => [plural, listOfBodies]))

/** Throws ApiError with all problems. */
export const parseFault = (body: unknown): Fault => {
  const fault: Fault = parseObject(body, faultRules)
  const { answer, lose, delay } = fault
  if (answer && lose)
    throw new ApiError('invalid', `lose must be absent or null when answer is given (got ${quoted(lose)}).`)
  if (!answer && !lose && delay === undefined)
    throw new ApiError('invalid', 'body must have at least one of answer, lose, delay.')
  return fault
}

/** In milliseconds since the epoch, with the fraction of its second, which the API truncates. */
const millisOf = (date: string | undefined): number | undefined => {
  if (date === undefined) return undefined
  const fraction = Number(/\.\d+/.exec(date)?.[0] ?? 0)
  return parseDate(date)! * 1_000 + Math.floor(1_000 * fraction)
}

/** Milliseconds since the epoch; undefined for a running clock. Throws ApiError. */
export const parseClock = (body: unknown): number | undefined => {
  const { now }: { now?: string } = parseObject(body ?? {}, clockRules)
  return millisOf(now)
}

/** `time` is in milliseconds since the epoch. */
export interface ParsedState {
  readonly seed?: InitialState['seed']
  readonly time?: number | undefined
}

/** Throws ApiError with all problems. */
export const parseInitialState = (body: unknown): ParsedState => {
  const { seed, now }: { seed?: InitialState['seed']; now?: string } = parseObject(body ?? {}, stateRules)
  const hasBodies = seed !== undefined && seed !== 'scenario'
  return { seed: hasBodies ? parseObject(seed, seedRules, 'seed.') : seed, time: millisOf(now) }
}
