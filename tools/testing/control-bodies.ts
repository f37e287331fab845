import { MAX_TIMER_MILLIS } from '../../client/timers.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { parseDate } from '../../shared/contract/dates.ts'
import { dateSchema } from '../../shared/contract/fields.ts'
import { ApiError } from '../../shared/errors.ts'
import { quoted, truncated } from '../../shared/http/validation/quoted.ts'
import { suggestion } from '../../shared/http/validation/suggest.ts'
import { violationDetail } from '../../shared/http/validation/violations.ts'
import type { Fault, InitialState } from './options.ts'
import { seedable } from './seed.ts'

/** Which values a property accepts; `expects` says so in an error message. */
interface Rule {
  readonly expects: string
  accepts(value: unknown): boolean
}
type Rules = Readonly<Record<string, Rule>>

const oneOf = (...values: readonly unknown[]): Rule => ({
  expects: `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  accepts: (value) => values.includes(value),
})
const integerFrom = (minimum: number): Rule => ({
  expects: `an integer of at least ${minimum}`,
  accepts: (value) => Number.isInteger(value) && Number(value) >= minimum,
})
const delayInMillis: Rule = {
  expects: `an integer from 0 to ${MAX_TIMER_MILLIS}`,
  accepts: (value) => integerFrom(0).accepts(value) && Number(value) <= MAX_TIMER_MILLIS,
}
const isObject = (value: unknown): boolean => quoted(value) === 'an object'
const isTime = (value: unknown): boolean => typeof value === 'string' && parseDate(value) !== undefined

const faultRules = {
  operation: oneOf(...catalogue.map(({ id }) => id)),
  call: integerFrom(1),
  times: integerFrom(1),
  delay: delayInMillis,
  answer: oneOf(429, 500, 503),
  retryAfter: integerFrom(0),
  lose: oneOf('request', 'answer'),
} satisfies Record<keyof Fault, Rule>
const clockRules = { now: { expects: dateSchema.expects, accepts: isTime } }
const stateRules = {
  seed: {
    expects: 'an object of request bodies by resource, or "scenario"',
    accepts: (value) => value === 'scenario' || isObject(value),
  },
  ...clockRules,
} satisfies Record<keyof InitialState, Rule>
const bodies: Rule = { expects: 'a list of request bodies', accepts: Array.isArray }
const seedRules: Rules = Object.fromEntries(seedable.map((plural) => [plural, bodies]))

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Returns what is wrong with the value of a property; undefined if it may have it. */
const problemOf = (name: string, value: unknown, rules: Rules): string | undefined => {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  if (!rule) return `is not a field here${suggestion(name, Object.keys(rules))}`
  if (isAbsent(value) || rule.accepts(value)) return undefined
  return `must be ${rule.expects} (got ${quoted(value)})`
}

/**
 * Validates an object by the rules of its properties. Returns those that are not null, which some languages send for an
 * absent one. Throws ApiError with all problems.
 */
const parse = (value: unknown, rules: Rules, path = ''): object => {
  if (!isObject(value)) throw new ApiError('invalid', `body must be a JSON object (got ${quoted(value)}).`)
  const entries = Object.entries(value as object)
  const problems: string[] = []
  for (const [name, given] of entries) {
    const problem = problemOf(name, given, rules)
    if (problem !== undefined) problems.push(violationDetail({ path: path + truncated(name), problem }))
  }
  if (problems.length > 0) throw new ApiError('invalid', problems)
  return Object.fromEntries(entries.filter(([, given]) => !isAbsent(given)))
}

/** Parses a fault. Throws ApiError with all problems. */
export const parseFault = (body: unknown): Fault => {
  const fault: Fault = parse(body, faultRules)
  const { answer, lose, delay } = fault
  if (answer && lose)
    throw new ApiError('invalid', `lose must be absent or null when answer is given (got ${quoted(lose)}).`)
  if (!answer && !lose && delay === undefined)
    throw new ApiError('invalid', 'body must have at least one of answer, lose, delay.')
  return fault
}

/** Returns a date in milliseconds since the epoch, with its fraction of a second, which the API cuts off. */
const millisOf = (date: string | undefined): number | undefined => {
  if (date === undefined) return undefined
  const fraction = Number(/\.\d+/.exec(date)?.[0] ?? 0)
  return parseDate(date)! * 1_000 + Math.floor(1_000 * fraction)
}

/** Parses a clock setting: milliseconds since the epoch, or undefined for a running clock. Throws ApiError. */
export const parseClock = (body: unknown): number | undefined => {
  const { now }: { now?: string } = parse(body ?? {}, clockRules)
  return millisOf(now)
}

/** A validated initial state; `time` is in milliseconds since the epoch. */
export interface ParsedState {
  readonly seed?: InitialState['seed']
  readonly time?: number | undefined
}

/** Parses an initial state. Throws ApiError with all problems. */
export const parseInitialState = (body: unknown): ParsedState => {
  const { seed, now }: { seed?: InitialState['seed']; now?: string } = parse(body ?? {}, stateRules)
  const hasBodies = seed !== undefined && seed !== 'scenario'
  return { seed: hasBodies ? parse(seed, seedRules, 'seed.') : seed, time: millisOf(now) }
}
