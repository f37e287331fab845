import { BillingApiError } from '../client/index.ts'
import { kindOf, type Schema } from './contract.ts'

/** A field of a form. */
export interface Field {
  readonly name: string
  readonly field: Schema
}

/** Returns the text in which a form shows a value. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** Reads what was typed. What cannot be read is sent as text, so that the service says what is wrong with it. */
const valueFrom = (schema: Schema, text: string): unknown => {
  const kind = kindOf(schema)
  const isBoolean = [schema.type].flat().includes('boolean')
  if (kind === 'text' && !isBoolean) return text
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
  fields: readonly Field[],
  typed: { get(name: string): unknown },
  entity?: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name, field }) => {
      const text = String(typed.get(name) ?? '')
      if (text.replaceAll('\r\n', '\n') === textOf(entity?.[name])) return []
      return [[name, text === '' ? null : valueFrom(field, text)]]
    }),
  )

/** What the service found wrong: sentences by the field that they begin with, and whether there is anything else. */
export interface FormErrors {
  readonly byField: ReadonlyMap<string, readonly string[]>
  readonly others: boolean
}

/** Returns the errors of a failed request. */
export const formErrorsOf = (error: unknown, names: readonly string[]): FormErrors => {
  const details = error instanceof BillingApiError ? error.errors.map(({ detail }) => detail) : []
  const fieldOf = (detail: string) => names.find((name) => name === /^\w+/.exec(detail)?.[0])
  const byField = Map.groupBy(details.filter(fieldOf), (detail) => fieldOf(detail)!)
  const placed = [...byField.values()].flat().length
  return { byField, others: error !== undefined && (placed === 0 || placed < details.length) }
}
