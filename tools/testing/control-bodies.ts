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
import { faultsOf, sentence } from '../../shared/http/faults.ts'
import { seedable } from './seed.ts'
import type { InitialState, ScriptedFault, Seed } from './settings.ts'

/** An object whose properties may all be absent, or null where a client's language has no other word for that. */
const settings = (properties: Properties, conditions: readonly Schema[] = []): ObjectSchema => {
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
} satisfies Record<keyof ScriptedFault, Schema>

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

/** What can be sent to the controls: the schemas of their bodies, by the name of their validator. */
export const controlBodies = {
  fault: { id: 'test.fault', body: settings(fault, [answerExcludesLose, needsEffect]) },
  initialState: { id: 'test.initial-state', body: settings(initialState) },
  clock: { id: 'test.clock', body: settings({ now: date }) },
} as const

const parse = <T>(kind: keyof typeof controlBodies, value: unknown): T => {
  const { body } = controlBodies[kind]
  const faults = faultsOf(body, value, schemaErrors(controlBodies[kind], value))
  if (faults.length > 0) throw new ApiError('invalid', faults.map(sentence))
  return Object.fromEntries(Object.entries(value as object).filter(([, given]) => given != null)) as T
}

/** Parses a scripted fault; throws ApiError with everything that is wrong with it. */
export const parseFault = (value: unknown): ScriptedFault => parse('fault', value)

interface Clock {
  readonly now?: string
}

/** The milliseconds since the epoch, with the fraction that the API's own dates drop. */
const millisOf = ({ now }: Clock): number | undefined =>
  now === undefined
    ? undefined
    : parseDate(now)! * 1_000 + Math.floor(1_000 * Number(/\.\d+/.exec(now)?.[0] ?? 0))

/** Parses the body of a clock setting to milliseconds since the epoch, undefined for a running clock; throws ApiError. */
export const parseClock = (value: unknown): number | undefined => millisOf(parse('clock', value ?? {}))

/** An initial state, validated; `time` is in milliseconds since the epoch. */
export interface ParsedState {
  readonly seed?: Seed | 'scenario' | undefined
  readonly time?: number | undefined
}

/** Parses an initial state, of which everything may be absent; throws ApiError with everything that is wrong with it. */
export const parseInitialState = (value: unknown): ParsedState => {
  const { seed, ...clock } = parse<Clock & Pick<ParsedState, 'seed'>>('initialState', value ?? {})
  return { seed, time: millisOf(clock) }
}
