import type { ErrorObject } from 'ajv'
import { parseDate } from '../contract/dates.ts'
import type { Violation } from '../contract/rules.ts'
import { absentSchema, type Schema, TEXT_PATTERN } from '../contract/schema.ts'
import { MAX_DETAILS } from '../errors.ts'
import { nearestCurrency } from '../money/currencies.ts'
import { nearDate } from './near-date.ts'
import { isTruncated, quoted } from './quoted.ts'
import { suggestion } from './suggest.ts'

/** The maximum number of names in a path of an error. */
export const MAX_PATH_NAMES = 12

const unescaped = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** Splits a JSON pointer: `/a/b/2` gives a, b and 2. */
export const pointerSegments = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped)

const segment = (name: string): string => {
  if (/^\d{1,9}$/.test(name)) return `[${name}]`
  return /^[A-Za-z_]\w{0,99}$/.test(name) ? `.${name}` : `[${quoted(name)}]`
}

/** Formats a path in a body for an error: `a.b[2]`, with quotes around unusual names. */
export const formatPath = (names: readonly string[]): string =>
  names.slice(0, MAX_PATH_NAMES).map(segment).join('').replace(/^\./, '') +
  (names.length > MAX_PATH_NAMES ? '…' : '')

const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], root)

/** Returns the subschema with the failed keyword. */
const failing = (schema: Schema, { schemaPath }: ErrorObject): Schema =>
  valueAt(schema, pointerSegments(schemaPath.slice(1)).map(decodeURIComponent).slice(0, -1)) as Schema

const conditionOf = (schema: Schema, { schemaPath }: ErrorObject): Schema | undefined =>
  schema.allOf?.[Number(/^#\/allOf\/(\d+)\/then\//.exec(schemaPath)?.[1])]

/** Returns the text of a condition, such as ` when type is "recurring"`. */
const conditionText = (condition: Schema | undefined): string => {
  const [[field, { type, enum: values }] = ['', {}]] = Object.entries(condition?.if?.properties ?? {})
  if (!field) return ''
  if (type === 'null') return ` when ${field} is absent or null`
  return values
    ? ` when ${field} is ${values.map((value) => JSON.stringify(value)).join(' or ')}`
    : ` when ${field} is given`
}

/** Returns the correction of a value that should be a date: a number may count seconds or milliseconds. */
const asDate = (value: unknown): string => {
  const number = Number(value)
  if (typeof value === 'string' && !/^\d{9,}$/.test(value)) return nearDate(value)
  if (typeof value !== 'number' && typeof value !== 'string') return ''
  const date = new Date(number * (Math.abs(number) < 1e11 ? 1_000 : 1))
  const isTime = Math.abs(number) >= 1e8 && !Number.isNaN(date.getTime())
  const text = isTime ? date.toISOString().replace(/\.\d+/, '') : ''
  return `; seconds are not accepted${parseDate(text) === undefined ? '' : `, write "${text}"`}`
}

const asCurrency = (value: unknown): string => {
  const near = typeof value === 'string' ? nearestCurrency(value) : undefined
  return near === undefined ? '' : `; did you mean "${near}"?`
}

/** Returns the correction of a wrong value, for the end of an error's detail. */
const correctionOf = ({ format, pattern }: Schema, value: unknown): string => {
  if (pattern === TEXT_PATTERN && typeof value === 'string' && value.includes('\u0000'))
    return '; U+0000 is not accepted'
  if (format === 'currency') return asCurrency(value)
  return format === 'billing-date' ? asDate(value) : ''
}

const problemOf = (
  { keyword, params }: ErrorObject,
  { within, condition, value }: { within: Schema; condition: Schema | undefined; value: unknown },
): string => {
  const when = conditionText(condition)
  const missing = keyword === 'required'
  const isLong = keyword === 'maxLength' && isTruncated(value as string)
  const got = isLong ? `${[...(value as string)].length} characters` : quoted(value)
  const what = missing
    ? `is required${when}: ${within.properties?.[params.missingProperty]?.expects ?? 'a value'}`
    : `must be ${within.expects ?? 'valid'}${when} (got ${got}${correctionOf(within, value)})`
  // An empty text stands for null.
  const isNull = value === null || value === ''
  const isPair = condition?.expects && (missing || isNull || within.expects === absentSchema.expects)
  return isPair ? `${what}; give ${condition.expects}` : what
}

const violationOf = (schema: Schema, body: unknown, error: ErrorObject): Violation => {
  const { keyword, instancePath, params } = error
  const names = pointerSegments(instancePath)
  const within = failing(schema, error)
  const { missingProperty, additionalProperty, propertyName } = params
  const named: string | undefined = missingProperty ?? additionalProperty ?? propertyName
  const path = formatPath(named === undefined ? names : [...names, named])
  if (keyword === 'additionalProperties') {
    const list = suggestion(additionalProperty, Object.keys(within.properties ?? {}))
    return { path, problem: `is not a field here${list}` }
  }
  if (keyword === 'propertyNames')
    return {
      path,
      problem: `must have a name of Unicode text without U+0000, ${within.propertyNames?.expects}`,
    }
  const value = valueAt(body, names)
  const condition = conditionOf(schema, error)
  return { path: path || 'body', problem: problemOf(error, { within, condition, value }) }
}

/**
 * Returns the first violation of each path, up to the limit of an error response. If `violations` is lazy, later ones are not
 * computed.
 */
export const firstOfEachPath = (violations: Iterable<Violation>): Violation[] => {
  const first = new Map<string, Violation>()
  for (const violation of violations) {
    if (!first.has(violation.path)) first.set(violation.path, violation)
    if (first.size === MAX_DETAILS) break
  }
  return [...first.values()]
}

/** Converts ajv's errors to violations, one for each wrong value. */
export const schemaViolations = (
  schema: Schema,
  body: unknown,
  errors: readonly ErrorObject[],
): Violation[] =>
  firstOfEachPath(
    errors
      .values()
      .filter(({ keyword, schemaPath }) => keyword !== 'if' && !schemaPath.includes('/propertyNames/'))
      .map((error) => violationOf(schema, body, error)),
  )

/** Returns the error detail of a violation: its path, the problem, and what would be valid. */
export const violationDetail = ({ path, problem }: Violation): string =>
  `${path} ${problem}${problem.endsWith('?') ? '' : '.'}`
