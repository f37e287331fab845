import { isCurrency } from './currencies.ts'
import { parseDate } from './dates.ts'

/**
 * The string formats of our schemas that JSON Schema does not define, as functions for ajv. In a file of its own, so that only
 * functions that validate a body contain the list of currencies.
 */
export const formats = {
  currency: isCurrency,
  'billing-date': (text: string): boolean => parseDate(text) !== undefined,
}
