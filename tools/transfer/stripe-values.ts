/** Readers of values in Stripe's objects of any API version. */

export type Json = Readonly<Record<string, unknown>>
/** Information from other objects of the import. */
export interface Others {
  /** Returns `interval` and `interval_count` of a price, by Stripe's id. */
  recurrence(priceId: string): Json | undefined
  /** Returns whether the import has recorded a price. */
  isRecorded(priceId: string): boolean
  /** Returns whether a coupon cannot be recorded, because it takes a fraction of a percent off. */
  isFractional(couponId: string): boolean
  /** Whether metadata over the service's limit is left out; the service refuses it otherwise. */
  readonly cutsMetadata: boolean
}
/** Reads the value of one of our fields from an object of Stripe's. */
export type Read = (object: Json, others: Others) => unknown
export type Table = Readonly<Record<string, Read>>

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

const amountOf = (currency: unknown, amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  const ours = inUnits.get(currency)?.(amount) ?? amount
  return Number.isInteger(ours)
    ? ours
    : refuse("An amount is not a whole number of the currency's minor unit.")
}

export const value =
  (...paths: string[]): Read =>
  (object) =>
    at(object, ...paths)

/** Fields with the same names as Stripe's. */
export const same = (...names: string[]): Table =>
  Object.fromEntries(names.map((name) => [name, value(name)]))

export const id =
  (...paths: string[]): Read =>
  (object) =>
    idAt(object, ...paths)

export const time =
  (...paths: string[]): Read =>
  (object) =>
    timeOf(at(object, ...paths))

export const money =
  (...paths: string[]): Read =>
  (object) =>
    amountOf(object.currency, at(object, ...paths))

/** The sum of the amounts in a list; undefined for an empty list. */
export const sum =
  (...paths: string[]): Read =>
  (object) => {
    const amounts = listAt(object, ...paths).map(({ amount }) => amount as number)
    return amounts.length > 0
      ? amountOf(
          object.currency,
          amounts.reduce((a, b) => a + b),
        )
      : undefined
  }

/** Applies a table to an object. */
export const readAll = (table: Table, object: Json, others: Others): Json =>
  Object.fromEntries(Object.entries(table).map(([name, read]) => [name, read(object, others)]))
