import { catalogue } from '../../shared/catalogue.ts'
import { ApiError } from '../../shared/errors.ts'
import type { Fault } from './faults.ts'
import type { Beginning } from './settings.ts'

type Check = readonly [holds: (value: unknown) => boolean, expects: string]

const from = (least: number): Check => [
  (value) => Number.isSafeInteger(value) && (value as number) >= least,
  `an integer of at least ${least}`,
]
const oneOf = (...values: unknown[]): Check => [
  (value) => values.includes(value),
  `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
]
const record: Check = [
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'an object',
]
const date: Check = [
  (value) => (typeof value === 'string' || value instanceof Date) && !Number.isNaN(new Date(value).getTime()),
  'a date, such as "2026-01-01T00:00:00Z"',
]

const faultChecks: Readonly<Record<keyof Fault, Check>> = {
  operation: oneOf(...catalogue.map(({ id }) => id)),
  call: from(1),
  times: from(1),
  delay: from(0),
  answer: oneOf(429, 500, 503),
  retryAfter: from(0),
  lose: oneOf('request', 'answer'),
}
const seed: Check = [(value) => value === 'scenario' || record[0](value), 'an object, or "scenario"']
const beginningChecks: Readonly<Record<keyof Beginning, Check>> = { seed, now: date }

const checked = <T>(checks: Readonly<Record<string, Check>>, value: unknown): T => {
  if (!record[0](value)) throw new ApiError('invalid', 'The body must be a JSON object.')
  const problems = Object.entries(value as object).flatMap(([name, given]) => {
    if (!Object.hasOwn(checks, name))
      return [`${name} is not known; known are: ${Object.keys(checks).join(', ')}.`]
    const [holds, expects] = checks[name]!
    return given == null || holds(given) ? [] : [`${name} must be ${expects} (got ${JSON.stringify(given)}).`]
  })
  if (problems.length > 0) throw new ApiError('invalid', problems)
  return Object.fromEntries(Object.entries(value as object).filter(([, given]) => given != null)) as T
}

/** A fault as it came from a client of the controls; throws ApiError with everything that is wrong with it. */
export const checkedFault = (value: unknown): Fault => {
  const fault = checked<Fault>(faultChecks, value)
  if (fault.delay === undefined && !fault.answer && !fault.lose)
    throw new ApiError('invalid', 'A fault has an answer, loses something, or has a delay.')
  if (fault.answer && fault.lose) throw new ApiError('invalid', 'A fault cannot both answer and lose.')
  return fault
}

/** A beginning as it came from a client of the controls; throws ApiError. */
export const checkedBeginning = (value: unknown): Beginning => checked(beginningChecks, value ?? {})

/** The time of a date in milliseconds, undefined for null; throws ApiError. */
export const checkedTime = (value: unknown): number | undefined => {
  const { now } = checkedBeginning({ now: value })
  return now === undefined ? undefined : new Date(now).getTime()
}
