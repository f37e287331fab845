import { minorUnitDigits } from './minor-units.ts'

/** Returns an amount of minor units as an exact decimal number, such as "-0.05". */
export const decimalFrom = (amount: number, currency: string): string => {
  const digits = minorUnitDigits(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0 ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}

/** Returns an amount of minor units in the reader's language; without a currency, the bare number. */
export const money = (amount: number, currency: string | null | undefined): string => {
  if (!currency) return number(amount)
  const digits = minorUnitDigits(currency)
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(decimalFrom(amount, currency) as Intl.StringNumericLiteral)
}

/** Returns a number in the reader's language. */
export const number = (value: number): string => new Intl.NumberFormat().format(value)

const DAY_SECONDS = 86_400
/** The latest time that a Date can hold, in seconds. */
const LATEST = 8.64e12

/** Returns a time in UTC, given in seconds; one at midnight as its day alone. */
export const time = (seconds: number): string => {
  if (Math.abs(seconds) > LATEST) return number(seconds)
  const timeStyle = seconds % DAY_SECONDS === 0 ? {} : { timeStyle: 'short' as const }
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', ...timeStyle, timeZone: 'UTC' }).format(
    seconds * 1000,
  )
}

/** Returns a name of the API in plain words: `customer_id` is "Customer". */
export const words = (name: string): string => {
  if (name === 'external_id') return 'Own id'
  const text = name.replace(/_id$/, '').replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the beginning of a text of any length. */
export const beginning = (text: string, most: number): string =>
  text.length > most ? `${[...text.slice(0, most)].slice(0, -1).join('')}…` : text
