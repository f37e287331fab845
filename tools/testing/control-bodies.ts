import { catalogue } from '../../shared/catalogue.ts'
import { parseDate } from '../../shared/contract/dates.ts'
import { date } from '../../shared/contract/fields.ts'
import { ApiError } from '../../shared/errors.ts'
import { cut, quoted } from '../../shared/http/quoted.ts'
import { suggestion } from '../../shared/http/suggest.ts'
import { detailOf } from '../../shared/http/violations.ts'
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
/** The longest delay that a timer supports. With a longer one, it would fire at once. */
const MAX_DELAY_MILLIS = 2 ** 31 - 1
const delayInMillis: Rule = {
  expects: `an integer from 0 to ${MAX_DELAY_MILLIS}`,
  accepts: (value) => integerFrom(0).accepts(value) && Number(value) <= MAX_DELAY_MILLIS,
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
const clockRules = { now: { expects: date.expects, accepts: isTime } }
const stateRules = {
  seed: {
    expects: 'an object of request bodies by resource, or "scenario"',
    accepts: (value) => value === 'scenario' || isObject(value),
  },
  ...clockRules,
} satisfies Record<keyof InitialState, Rule>
const bodies: Rule = { expects: 'a list of request bodies', accepts: Array.isArray }
const seedRules: Rules = Object.fromEntries(seedable.map((plural) => [plural, bodies]))

/**
 * Validates an object by the rules of its properties. Returns those that are not null, which some languages send for an
 * absent one. Throws ApiError with all problems.
 */
const parse = (value: unknown, rules: Rules, path = ''): object => {
  if (!isObject(value)) throw new ApiError('invalid', `body must be a JSON object (got ${quoted(value)}).`)
  const entries = Object.entries(value as object)
  const problems = entries.flatMap(([name, given]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule && (given == null || rule.accepts(given))) return []
    const problem = rule
      ? `must be ${rule.expects} (got ${quoted(given)})`
      : `is not a field here${suggestion(name, Object.keys(rules))}`
    return detailOf({ path: path + cut(name), problem })
  })
  if (problems.length > 0) throw new ApiError('invalid', problems)
  return Object.fromEntries(entries.filter(([, given]) => given != null))
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

/** Milliseconds since the epoch, with the fraction that the API's dates omit. */
const millisOf = ({ now }: { readonly now?: string }): number | undefined =>
  now === undefined
    ? undefined
    : parseDate(now)! * 1_000 + Math.floor(1_000 * Number(/\.\d+/.exec(now)?.[0] ?? 0))

/** Parses a clock setting: milliseconds since the epoch, or undefined for a running clock. Throws ApiError. */
export const parseClock = (body: unknown): number | undefined => millisOf(parse(body ?? {}, clockRules))

/** A validated initial state; `time` is in milliseconds since the epoch. */
export interface ParsedState {
  readonly seed?: InitialState['seed']
  readonly time?: number | undefined
}

/** Parses an initial state. Throws ApiError with all problems. */
export const parseInitialState = (body: unknown): ParsedState => {
  const { seed, ...clock }: Pick<InitialState, 'seed'> & { now?: string } = parse(body ?? {}, stateRules)
  return { seed: seed === 'scenario' ? seed : seed && parse(seed, seedRules, 'seed.'), time: millisOf(clock) }
}
