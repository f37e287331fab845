/** Reads values out of Stripe's objects, as any version of its API has them. */

export type Json = Readonly<Record<string, unknown>>
/** `interval` and `interval_count` of prices, by Stripe's id. */
export type Recurrences = ReadonlyMap<string, Json>
/** Reads what a field of ours is from an object of Stripe's. */
export type Read = (object: Json, recurrences: Recurrences) => unknown
export type Table = Readonly<Record<string, Read>>

/** Why an object cannot be mapped, in words that are the same for all objects with this fault. */
export class Refusal extends Error {}

export const refuse = (why: string): never => {
  throw new Refusal(why)
}

const step = (value: unknown, key: string): unknown => (value as Json | null | undefined)?.[key]

/** The first value at one of these paths that is neither absent nor null. */
export const at = (object: unknown, ...paths: string[]): unknown => {
  for (const path of paths) {
    const found = path.split('.').reduce(step, object)
    if (found !== null && found !== undefined) return found
  }
  return undefined
}

export const listAt = (object: unknown, ...paths: string[]): Json[] => (at(object, ...paths) ?? []) as Json[]

/** The id of another object, which may be expanded. */
export const idAt = (object: unknown, ...paths: string[]): unknown => {
  const found = at(object, ...paths)
  return at(found, 'id') ?? found
}

/** RFC 3339 text of seconds since the epoch; anything else stays for the service to refuse. */
export const timeOf = (seconds: unknown): unknown =>
  Number.isSafeInteger(seconds) ? new Date((seconds as number) * 1000).toISOString() : seconds

/** Currencies whose minor unit of ISO 4217 is not the unit that Stripe counts in. */
const inUnits: Readonly<Record<string, (amount: number) => number>> = {
  isk: (amount) => amount / 100,
  ugx: (amount) => amount / 100,
  mga: (amount) => amount * 100,
}

const amountOf = (currency: unknown, amount: unknown): unknown => {
  if (typeof amount !== 'number') return amount
  const ours = inUnits[String(currency)]?.(amount) ?? amount
  return Number.isInteger(ours) ? ours : refuse('An amount is a fraction of the minor unit of its currency.')
}

export const value =
  (...paths: string[]): Read =>
  (object) =>
    at(object, ...paths)

export const id =
  (...paths: string[]): Read =>
  (object) =>
    idAt(object, ...paths)

export const time =
  (path: string): Read =>
  (object) =>
    timeOf(at(object, path))

export const money =
  (...paths: string[]): Read =>
  (object) =>
    amountOf(object.currency, at(object, ...paths))

/** The sum of the amounts in a list, absent where that is empty. */
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

/** What a table makes of an object. */
export const readAll = (table: Table, object: Json, recurrences: Recurrences): Json =>
  Object.fromEntries(Object.entries(table).map(([name, read]) => [name, read(object, recurrences)]))
