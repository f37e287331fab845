import { parseDate } from '../../../../shared/contract/dates.ts'
import type { Values } from '../../../../shared/contract/schema.ts'

/** An object of Stripe, an object within one, or a body that is made from one. */
export type StripeObject = Values

/** Thrown if an object cannot be mapped. The message has none of its values, so that equal messages can be counted. */
export class Refusal extends Error {}

export const refuse = (reason: string): never => {
  throw new Refusal(reason)
}

const memberOf = (value: unknown, key: string): unknown => (value as StripeObject | null | undefined)?.[key]

/** The first value, at paths such as `period.start`, that is neither absent nor null. */
export const valueAt = (object: unknown, ...paths: string[]): unknown => {
  for (const path of paths) {
    const value = path.split('.').reduce(memberOf, object)
    if (value !== null && value !== undefined) return value
  }
  return undefined
}

/** Empty if there is none. */
export const listAt = (object: unknown, ...paths: string[]): StripeObject[] =>
  (valueAt(object, ...paths) ?? []) as StripeObject[]

/** Of an object that is embedded ("expanded" in Stripe's terms), or an id. */
export const objectIdOf = (value: unknown): unknown => valueAt(value, 'id') ?? value

export const idAt = (object: unknown, ...paths: string[]): unknown => objectIdOf(valueAt(object, ...paths))

/** The seconds since the epoch of a time that a program may have written as a text; any other value is unchanged. */
export const secondsOf = (time: unknown): unknown =>
  typeof time === 'string' ? (parseDate(time) ?? time) : time

/** Any value that is not a time is unchanged, for the service to refuse. */
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

/** In the minor unit of ISO 4217. Throws Refusal for a fraction of it. Any value that is not a number is unchanged. */
export const isoMinorUnits = (currency: unknown, amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  const converted = conversions.get(currency)?.(amount) ?? amount
  return Number.isInteger(converted)
    ? converted
    : refuse("An amount is not a whole number of the currency's minor unit.")
}

/** Any value that is not a number is unchanged. */
export const negated = (amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  // The opposite of 0 would be -0.
  return amount === 0 ? 0 : -amount
}
