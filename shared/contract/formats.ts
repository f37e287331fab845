import { isCurrency } from '../money/currencies.ts'
import { isDate } from './dates.ts'

/**
 * The formats of strings that the schemas use and JSON Schema does not define, as functions for ajv. They are in
 * a file of their own, so that only the functions that validate a body contain the list of currencies.
 */
export const formats = {
  currency: isCurrency,
  'billing-date': isDate,
}
