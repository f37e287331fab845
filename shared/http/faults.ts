import type { ErrorObject } from 'ajv'
import type { Fault } from '../contract/rules.ts'
import type { Schema } from '../contract/schema.ts'
import { MOST_DETAILS } from '../errors.ts'
import { namesIn, pathOf } from './paths.ts'
import { shown } from './shown.ts'
import { suggestion } from './suggest.ts'

const at = (root: unknown, path: readonly string[]): unknown =>
  path.reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], root)

/** The schema whose keyword failed, in the body's schema. */
const failing = (schema: Schema, { schemaPath }: ErrorObject): Schema =>
  at(schema, namesIn(schemaPath.slice(1)).map(decodeURIComponent).slice(0, -1)) as Schema

/** " when type is "recurring"" for what fails in the `then` of a condition. */
const conditionOf = (schema: Schema, { schemaPath }: ErrorObject): string => {
  const index = /^#\/allOf\/(\d+)\/then\//.exec(schemaPath)?.[1]
  if (index === undefined) return ''
  const [[field, condition] = ['', {}]] = Object.entries(schema.allOf?.[Number(index)]?.if?.properties ?? {})
  if (condition.type === 'null') return ` when ${field} is absent or null`
  return condition.enum
    ? ` when ${field} is ${condition.enum.map((value) => JSON.stringify(value)).join(' or ')}`
    : ` when ${field} is given`
}

const faultOf = (schema: Schema, body: unknown, error: ErrorObject): Fault => {
  const { keyword, instancePath, params } = error
  const names = namesIn(instancePath)
  const within = failing(schema, error)
  const when = conditionOf(schema, error)
  if (keyword === 'required') {
    const name = params.missingProperty as string
    return {
      path: pathOf([...names, name]),
      problem: `is required${when}: ${within.properties?.[name]?.expects ?? 'a value'}`,
    }
  }
  if (keyword === 'additionalProperties') {
    const name = params.additionalProperty as string
    return {
      path: pathOf([...names, name]),
      problem: `is not a field here${suggestion(name, Object.keys(within.properties ?? {}))}`,
    }
  }
  if (keyword === 'propertyNames') {
    const { expects } = within.propertyNames as Schema
    return {
      path: pathOf([...names, params.propertyName as string]),
      problem: `must have a name of Unicode text ${expects}`,
    }
  }
  return {
    path: pathOf(names) || 'body',
    problem: `must be ${within.expects ?? 'valid'}${when} (got ${shown(at(body, names))})`,
  }
}

/**
 * What ajv found, as one fault for each wrong value: a value that breaks several keywords is one fault, and no more
 * are made than an answer holds (R1).
 */
export const faultsOf = (schema: Schema, body: unknown, errors: readonly ErrorObject[]): Fault[] => {
  const faults = new Map<string, Fault>()
  for (const error of errors) {
    if (error.keyword === 'if' || error.schemaPath.includes('/propertyNames/')) continue
    const fault = faultOf(schema, body, error)
    if (!faults.has(fault.path)) faults.set(fault.path, fault)
    if (faults.size === MOST_DETAILS) break
  }
  return [...faults.values()]
}
