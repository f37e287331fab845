import { BillingApiError } from '../../client/index.ts'
import { type FieldSchema, type FieldSchemas, kindOf } from '../frame/contract.ts'

export const isJson = (schema: FieldSchema): boolean => ['object', 'list'].includes(kindOf(schema))

export const fieldText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** A text that cannot be parsed, or a number that would lose digits, is sent as text: the service explains the error. */
const valueFrom = (schema: FieldSchema, text: string): unknown => {
  if (kindOf(schema) === 'text') return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' && !Number.isSafeInteger(value) ? text : value
  } catch {
    return text
  }
}

interface FormTexts {
  get(name: string): unknown
}

/** The typed fields of a create, or the changed fields of an update of `entity`: null for a removed text. */
export const bodyFrom = (
  fields: FieldSchemas,
  form: FormTexts,
  entity?: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const body: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(fields)) {
    // Browsers send line breaks of a text as CRLF.
    const text = String(form.get(name) ?? '').replaceAll('\r\n', '\n')
    const isChanged = text !== fieldText(entity?.[name])
    if (isChanged) body[name] = text === '' ? null : valueFrom(schema, text)
  }
  return body
}

export interface FieldErrors {
  readonly byField: ReadonlyMap<string, readonly string[]>
  /** Whether there are details and each belongs to a field. */
  readonly isComplete: boolean
}

/** Groups the details of an error by the field that each begins with. Of text in place of JSON, it says so. */
export const errorsByField = (
  error: unknown,
  fields: FieldSchemas,
  body: Readonly<Record<string, unknown>>,
): FieldErrors => {
  const details = error instanceof BillingApiError ? error.errors.map(({ detail }) => detail) : []
  const fieldOf = (detail: string) => /^\w+/.exec(detail)?.[0] ?? ''
  const plainDetail = (detail: string) => {
    const name = fieldOf(detail)
    const isUnparsedJson = isJson(fields[name]!) && typeof body[name] === 'string'
    return isUnparsedJson ? `${name} must be JSON` : detail
  }
  const ofFields = details.filter((detail) => Object.hasOwn(fields, fieldOf(detail)))
  return {
    byField: Map.groupBy(ofFields.map(plainDetail), fieldOf),
    isComplete: details.length > 0 && ofFields.length === details.length,
  }
}
