/** Values in Stripe's objects, and refusals of them. Everything here is pure. */

export type Json = Readonly<Record<string, unknown>>

/** Thrown if an object cannot be mapped. The message is the same for all objects with this error, for counting. */
export class Refusal extends Error {}

export const refuse = (why: string): never => {
  throw new Refusal(why)
}

const step = (value: unknown, key: string): unknown => (value as Json | null | undefined)?.[key]

/** Returns the first value at these paths that is neither absent nor null. */
export const at = (object: unknown, ...paths: string[]): unknown => {
  for (const path of paths) {
    const found = path.split('.').reduce(step, object)
    if (found !== null && found !== undefined) return found
  }
  return undefined
}

export const listAt = (object: unknown, ...paths: string[]): Json[] => (at(object, ...paths) ?? []) as Json[]

/** Returns the id of another object, which may be embedded ("expanded"). */
export const idAt = (object: unknown, ...paths: string[]): unknown => {
  const found = at(object, ...paths)
  return at(found, 'id') ?? found
}

/** Seconds since the epoch as RFC 3339. Any other value stays, for the service to refuse. */
export const timeOf = (seconds: unknown): unknown =>
  Number.isSafeInteger(seconds) ? new Date((seconds as number) * 1000).toISOString() : seconds

/** Currencies in which Stripe's unit is not the minor unit of ISO 4217. */
const inUnits: ReadonlyMap<unknown, (amount: number) => number> = new Map([
  ['isk', (amount) => amount / 100],
  ['ugx', (amount) => amount / 100],
  ['mga', (amount) => amount * 100],
])

export const amountOf = (currency: unknown, amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  const ours = inUnits.get(currency)?.(amount) ?? amount
  return Number.isInteger(ours)
    ? ours
    : refuse("An amount is not a whole number of the currency's minor unit.")
}
