import { BillingApiError } from '../../client/index.ts'
import { type Fields, kindOf, type Schema } from '../frame/contract.ts'

/** Whether a field is typed as JSON. */
export const isJson = (schema: Schema): boolean => ['object', 'list'].includes(kindOf(schema))

/** Returns the text in which a form shows a value. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** Reads what was typed. What cannot be read is sent as text, so that the service says what is wrong with it. */
const valueFrom = (schema: Schema, text: string): unknown => {
  if (kindOf(schema) === 'text') return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' && !Number.isSafeInteger(value) ? text : value
  } catch {
    return text
  }
}

/**
 * Returns the body of a create, with the fields that have a text, or of an update of `entity`, with the fields whose text
 * was changed: null where it was removed.
 */
export const bodyFrom = (
  fields: Fields,
  typed: { get(name: string): unknown },
  entity?: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, schema]) => {
      const text = String(typed.get(name) ?? '')
      if (text.replaceAll('\r\n', '\n') === textOf(entity?.[name])) return []
      return [[name, text === '' ? null : valueFrom(schema, text)]]
    }),
  )

/**
 * Groups the details of an error by the field that each begins with. `isAll` is true if there are details and each begins with a
 * field. For JSON that could not be parsed and was sent as text, the message says that it must be JSON.
 */
export const errorsByField = (error: unknown, fields: Fields, body: Readonly<Record<string, unknown>>) => {
  const details = error instanceof BillingApiError ? error.errors.map(({ detail }) => detail) : []
  const fieldOf = (detail: string) => /^\w+/.exec(detail)?.[0] ?? ''
  const saidOf = (detail: string) => {
    const name = fieldOf(detail)
    return isJson(fields[name]!) && typeof body[name] === 'string' ? `${name} must be JSON` : detail
  }
  const atFields = details.filter((detail) => Object.hasOwn(fields, fieldOf(detail)))
  const isAll = atFields.length > 0 && atFields.length === details.length
  return { byField: Map.groupBy(atFields.map(saidOf), fieldOf), isAll }
}
