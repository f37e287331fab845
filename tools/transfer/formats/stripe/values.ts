// Reads and converts values in Stripe's objects. Everything here is pure.

/** An object of Stripe, or an object within one. */
export type Json = Readonly<Record<string, unknown>>

/** Thrown if an object cannot be mapped. The message does not depend on the object, so that it can be counted. */
export class Refusal extends Error {}

/** Throws Refusal. */
export const refuse = (why: string): never => {
  throw new Refusal(why)
}

const step = (value: unknown, key: string): unknown => (value as Json | null | undefined)?.[key]

/** Returns the first value at these paths that is present and not null. */
export const valueAt = (object: unknown, ...paths: string[]): unknown => {
  for (const path of paths) {
    const found = path.split('.').reduce(step, object)
    if (found !== null && found !== undefined) return found
  }
  return undefined
}

/** Returns the first list at these paths; empty if there is none. */
export const listAt = (object: unknown, ...paths: string[]): Json[] =>
  (valueAt(object, ...paths) ?? []) as Json[]

/** Returns the id of another object, which may be embedded ("expanded" in Stripe's terms). */
export const idAt = (object: unknown, ...paths: string[]): unknown => {
  const found = valueAt(object, ...paths)
  return valueAt(found, 'id') ?? found
}

/** Returns seconds since the epoch as RFC 3339, and any other value unchanged, for the service to refuse. */
export const timeOf = (seconds: unknown): unknown =>
  Number.isSafeInteger(seconds) ? new Date((seconds as number) * 1000).toISOString() : seconds

/** Conversions to the minor unit of ISO 4217 for currencies in which Stripe uses another unit. */
const conversions: ReadonlyMap<unknown, (amount: number) => number> = new Map([
  ['isk', (amount) => amount / 100],
  ['ugx', (amount) => amount / 100],
  ['mga', (amount) => amount * 100],
])

/** Returns an amount in the minor unit of ISO 4217. Throws Refusal for a fraction of it. */
export const amountOf = (currency: unknown, amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  const ours = conversions.get(currency)?.(amount) ?? amount
  return Number.isInteger(ours)
    ? ours
    : refuse("An amount is not a whole number of the currency's minor unit.")
}

/** Returns an amount with the opposite sign, and any other value unchanged. */
export const negated = (amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  return amount === 0 ? 0 : -amount
}
