import { isCurrency } from './currencies.ts'
import { parseDate } from './dates.ts'

/** The string formats of our schemas that JSON Schema does not define; ajv, compiled or generated, calls these. */
export const formats = {
  currency: isCurrency,
  'billing-date': (text: string): boolean => parseDate(text) !== undefined,
}
