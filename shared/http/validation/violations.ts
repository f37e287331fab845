import type { ErrorObject } from 'ajv'
import type { Violation } from '../../contract/rules.ts'
import { absentSchema, type Schema, TEXT_PATTERN } from '../../contract/schema.ts'
import { MAX_DETAILS } from '../../errors.ts'
import { nearestCurrency } from '../../money/currencies.ts'
import { dateCorrection } from './date-correction.ts'
import { isTruncated, quoted } from './quoted.ts'
import { suggestion } from './suggest.ts'

/** The maximum number of names in the path of an error. */
export const MAX_PATH_NAMES = 12

const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** The names in a JSON pointer: a, b and 2 for `/a/b/2`. */
export const pointerSegments = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped)

const formatName = (name: string): string => {
  if (/^\d{1,9}$/.test(name)) return `[${name}]`
  return /^[A-Za-z_]\w{0,99}$/.test(name) ? `.${name}` : `[${quoted(name)}]`
}

/** The path of a field in a body, as errors show it: `a.b[2]`, with unusual names in quotes. */
export const formatPath = (names: readonly string[]): string => {
  const path = names.slice(0, MAX_PATH_NAMES).map(formatName).join('').replace(/^\./, '')
  return names.length > MAX_PATH_NAMES ? `${path}…` : path
}

const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], root)

/** `rule` follows "must", such as "be an integer". */
export const wrongValue = (path: string, rule: string, value: unknown): Violation => ({
  path,
  problem: `must ${rule} (got ${quoted(value)})`,
})

/** The subschema whose keyword failed. */
const failedSchema = (schema: Schema, { schemaPath }: ErrorObject): Schema => {
  const path = pointerSegments(schemaPath.slice(1)).map(decodeURIComponent)
  return valueAt(schema, path.slice(0, -1)) as Schema
}

/**
 * The rule between fields, made by `when`, that an error violates; undefined for an error of a single field.
 */
const violatedCondition = (schema: Schema, { schemaPath }: ErrorObject): Schema | undefined => {
  const [, index] = /^#\/allOf\/(\d+)\/then\//.exec(schemaPath) ?? []
  return index === undefined ? undefined : schema.allOf?.[Number(index)]
}

/** The text of a condition, such as ` when type is "recurring"`; empty without a condition. */
const conditionText = (condition: Schema | undefined): string => {
  const [property] = Object.entries(condition?.if?.properties ?? {})
  if (!property) return ''
  const [field, { type, enum: values }] = property
  if (type === 'null') return ` when ${field} is absent or null`
  if (!values) return ` when ${field} is given`
  return ` when ${field} is ${values.map((value) => JSON.stringify(value)).join(' or ')}`
}

const currencyCorrection = (value: unknown): string => {
  const nearest = typeof value === 'string' ? nearestCurrency(value) : undefined
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`
}

/** The correction of a wrong value, for the end of an error's detail; empty if there is none. */
const correctionOf = ({ format, pattern }: Schema, value: unknown): string => {
  if (pattern === TEXT_PATTERN && typeof value === 'string' && value.includes('\u0000'))
    return '; U+0000 is not accepted'
  if (format === 'currency') return currencyCorrection(value)
  return format === 'billing-date' ? dateCorrection(value) : ''
}

/** An error of ajv with the schema whose keyword failed, the violated rule, and the wrong value. */
interface FailedValue {
  readonly error: ErrorObject
  readonly schema: Schema
  readonly condition: Schema | undefined
  readonly value: unknown
}

const problemOfMissing = ({ error, schema, condition }: FailedValue): string => {
  const expects = schema.properties?.[error.params.missingProperty]?.expects ?? 'a value'
  return `is required${conditionText(condition)}: ${expects}`
}

const problemOfWrong = ({ error, schema, condition, value }: FailedValue): string => {
  const isTooLong = error.keyword === 'maxLength' && isTruncated(value as string)
  const got = isTooLong ? `${[...(value as string)].length} characters` : quoted(value)
  const expects = schema.expects ?? 'valid'
  return `must be ${expects}${conditionText(condition)} (got ${got}${correctionOf(schema, value)})`
}

const problemOf = (failed: FailedValue): string => {
  const { error, schema, condition, value } = failed
  const isMissing = error.keyword === 'required'
  const problem = isMissing ? problemOfMissing(failed) : problemOfWrong(failed)
  // An empty text stands for null.
  const isNull = value === null || value === ''
  const concernsBoth = isMissing || isNull || schema.expects === absentSchema.expects
  // Some rules describe what both of their fields together must be, such as exactly one of two.
  return condition?.expects && concernsBoth ? `${problem}; give ${condition.expects}` : problem
}

const violationOf = (body: unknown, bodySchema: Schema, error: ErrorObject): Violation => {
  const { keyword, instancePath, params } = error
  const names = pointerSegments(instancePath)
  const schema = failedSchema(bodySchema, error)
  const { missingProperty, additionalProperty, propertyName } = params
  const property: string | undefined = missingProperty ?? additionalProperty ?? propertyName
  const path = formatPath(property === undefined ? names : [...names, property])
  if (keyword === 'additionalProperties') {
    const fieldNames = Object.keys(schema.properties ?? {})
    return { path, problem: `is not a field here${suggestion(additionalProperty, fieldNames)}` }
  }
  if (keyword === 'propertyNames') {
    const expects = schema.propertyNames?.expects
    return { path, problem: `must have a name of Unicode text without U+0000, ${expects}` }
  }
  const condition = violatedCondition(bodySchema, error)
  const problem = problemOf({ error, schema, condition, value: valueAt(body, names) })
  return { path: path || 'body', problem }
}

/** Ends at the limit of an error response. If `violations` is lazy, later ones are not computed. */
export const firstOfEachPath = (violations: Iterable<Violation>): Violation[] => {
  const first = new Map<string, Violation>()
  for (const violation of violations) {
    if (!first.has(violation.path)) first.set(violation.path, violation)
    if (first.size === MAX_DETAILS) break
  }
  return [...first.values()]
}

/** The violations that ajv found in a body, one for each wrong value. */
export const schemaViolations = (
  schema: Schema,
  body: unknown,
  errors: readonly ErrorObject[],
): Violation[] =>
  firstOfEachPath(
    errors
      .values()
      .filter(({ keyword, schemaPath }) => keyword !== 'if' && !schemaPath.includes('/propertyNames/'))
      .map((error) => violationOf(body, schema, error)),
  )

/** The error detail of a violation: its path and the problem, as a sentence. */
export const violationDetail = ({ path, problem }: Violation): string =>
  `${path} ${problem}${problem.endsWith('?') ? '' : '.'}`
