import { parseDate } from '../../../../shared/contract/dates.ts'
import type { Values } from '../../../../shared/contract/schema.ts'

/** An object of Stripe, an object within one, or a body that is made from one. */
export type StripeObject = Values

/**
 * Thrown if an object cannot be mapped. The message does not contain the object's values, so that equal messages can be
 * counted.
 */
export class Refusal extends Error {}

/** Throws Refusal. */
export const refuse = (reason: string): never => {
  throw new Refusal(reason)
}

const memberOf = (value: unknown, key: string): unknown => (value as StripeObject | null | undefined)?.[key]

/**
 * Returns the first value at these paths, such as `period.start`, that is neither absent nor null; undefined if there is none.
 */
export const valueAt = (object: unknown, ...paths: string[]): unknown => {
  for (const path of paths) {
    const value = path.split('.').reduce(memberOf, object)
    if (value !== null && value !== undefined) return value
  }
  return undefined
}

/** Returns the first list at these paths; an empty list if there is none. */
export const listAt = (object: unknown, ...paths: string[]): StripeObject[] =>
  (valueAt(object, ...paths) ?? []) as StripeObject[]

/** Returns the id of another object at these paths, which may be embedded ("expanded" in Stripe's terms). */
export const idAt = (object: unknown, ...paths: string[]): unknown => {
  const value = valueAt(object, ...paths)
  return valueAt(value, 'id') ?? value
}

/** Returns the seconds since the epoch of a time that a program may have written as a text; any other value unchanged. */
export const secondsOf = (time: unknown): unknown =>
  typeof time === 'string' ? (parseDate(time) ?? time) : time

/** Returns a time as RFC 3339, and any other value unchanged, for the service to refuse. */
export const isoTime = (time: unknown): unknown => {
  const seconds = secondsOf(time)
  return Number.isSafeInteger(seconds) ? new Date((seconds as number) * 1000).toISOString() : seconds
}

/** The conversions to the minor unit of ISO 4217, for currencies in which Stripe uses another unit. */
const conversions: ReadonlyMap<unknown, (amount: number) => number> = new Map([
  ['isk', (amount) => amount / 100],
  ['ugx', (amount) => amount / 100],
  ['mga', (amount) => amount * 100],
])

/**
 * Returns an amount of Stripe in the minor unit of ISO 4217, and any value that is not a number unchanged. Throws Refusal for a
 * fraction of the minor unit.
 */
export const minorUnits = (currency: unknown, amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  const converted = conversions.get(currency)?.(amount) ?? amount
  return Number.isInteger(converted)
    ? converted
    : refuse("An amount is not a whole number of the currency's minor unit.")
}

/** Returns an amount with the opposite sign, and any value that is not a number unchanged. */
export const negated = (amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  // The opposite of 0 would be -0.
  return amount === 0 ? 0 : -amount
}
