import { schemaErrors } from '#validators'
import { catalogue } from '../../shared/catalogue.ts'
import { parseDate } from '../../shared/contract/dates.ts'
import { count, date, oneOf } from '../../shared/contract/fields.ts'
import {
  absent,
  nullable,
  type ObjectSchema,
  object,
  type Properties,
  type Schema,
  when,
} from '../../shared/contract/schema.ts'
import { ApiError } from '../../shared/errors.ts'
import { sentence, violationsOf } from '../../shared/http/violations.ts'
import type { Fault, InitialState } from './options.ts'
import { seedable } from './seed.ts'

/** An object whose properties can be absent or null, since some languages cannot omit a property. */
const optionalObject = (properties: Properties, conditions: readonly Schema[] = []): ObjectSchema => {
  const optional = Object.entries(properties).map(
    ([name, schema]) => [name, { ...nullable(schema), expects: schema.expects ?? '' }] as const,
  )
  return object(Object.fromEntries(optional), [], conditions)
}

const fromZero: Schema = { type: 'integer', minimum: 0, expects: 'an integer of at least 0' }

const fault = {
  operation: oneOf(
    'Operation',
    catalogue.map(({ id }) => id),
    undefined,
  ).request,
  call: count(undefined).request,
  times: count(undefined).request,
  delay: fromZero,
  answer: { type: 'integer', enum: [429, 500, 503], expects: 'one of 429, 500, 503' },
  retryAfter: fromZero,
  lose: oneOf('Loss', ['request', 'answer'], undefined).request,
} satisfies Record<keyof Fault, Schema>

const answerExcludesLose = when('answer', 'given', { forbidden: ['lose'] })

const needsEffect: Schema = {
  ...when('answer', 'absent', { required: { delay: { ...fault.delay, type: ['number', 'string'] } } }),
  if: { properties: { answer: absent, lose: absent } },
  expects: 'at least one of answer, lose, delay',
}

const bodies: Schema = {
  type: 'array',
  items: { type: 'object', expects: 'a JSON object' },
  expects: 'a list of request bodies',
}

const initialState = {
  seed: {
    type: ['object', 'string'],
    pattern: '^scenario$',
    properties: Object.fromEntries(seedable.map((plural) => [plural, nullable(bodies)])),
    additionalProperties: false,
    expects: 'an object of request bodies by resource, or "scenario"',
  },
  now: date,
} satisfies Record<keyof InitialState, Schema>

/** The bodies of the controls: their schemas, with the ids of their validators. */
export const controlBodies = {
  fault: { id: 'test.fault', body: optionalObject(fault, [answerExcludesLose, needsEffect]) },
  initialState: { id: 'test.initial-state', body: optionalObject(initialState) },
  clock: { id: 'test.clock', body: optionalObject({ now: date }) },
} as const

const parse = <T>(kind: keyof typeof controlBodies, value: unknown): T => {
  const { body } = controlBodies[kind]
  const violations = violationsOf(body, value, schemaErrors(controlBodies[kind], value))
  if (violations.length > 0) throw new ApiError('invalid', violations.map(sentence))
  return Object.fromEntries(Object.entries(value as object).filter(([, given]) => given != null)) as T
}

/** Parses a fault. Throws ApiError with all problems. */
export const parseFault = (value: unknown): Fault => parse('fault', value)

interface Clock {
  readonly now?: string
}

/** Milliseconds since the epoch, with the fraction that the API's dates omit. */
const millisOf = ({ now }: Clock): number | undefined =>
  now === undefined
    ? undefined
    : parseDate(now)! * 1_000 + Math.floor(1_000 * Number(/\.\d+/.exec(now)?.[0] ?? 0))

/** Parses a clock setting: milliseconds since the epoch, or undefined for a running clock. Throws ApiError. */
export const parseClock = (value: unknown): number | undefined => millisOf(parse('clock', value ?? {}))

/** A validated initial state; `time` is in milliseconds since the epoch. */
export interface ParsedState {
  readonly seed?: InitialState['seed']
  readonly time?: number | undefined
}

/** Parses an initial state. Throws ApiError with all problems. */
export const parseInitialState = (value: unknown): ParsedState => {
  const { seed, ...clock } = parse<Clock & Pick<InitialState, 'seed'>>('initialState', value ?? {})
  return { seed, time: millisOf(clock) }
}
