import { isCurrency } from '../money/currencies.ts'
import { isDate } from './dates.ts'

/**
 * The string formats of the schemas that JSON Schema does not define, as functions for ajv. They have their
 * own file, so that only functions that validate a body contain the list of currencies.
 */
export const formats = {
  currency: isCurrency,
  'billing-date': isDate,
}
