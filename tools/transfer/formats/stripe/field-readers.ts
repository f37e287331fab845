import type { MappingContext } from './mapping-context.ts'
import { idAt, isoTime, listAt, minorUnits, type StripeObject, valueAt } from './values.ts'

/** Reads the value of a field of this service from a Stripe object. Throws Refusal if the value cannot be recorded. */
export type FieldReader = (object: StripeObject, context: MappingContext) => unknown

/** How the fields of a resource are read from Stripe objects of one type, by the name of the field. */
export type FieldReaders = Readonly<Record<string, FieldReader>>

/** Returns the values of fields by name. Throws Refusal for an object that cannot be mapped. */
export const readFields = (
  readers: FieldReaders,
  object: StripeObject,
  context: MappingContext,
): StripeObject =>
  Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(object, context)]))

/** Returns a reader of the first value at these paths that is neither absent nor null. */
export const valueFrom =
  (...paths: string[]): FieldReader =>
  (object) =>
    valueAt(object, ...paths)

/** Returns a reader of the id of another object at these paths, which may be embedded. */
export const idFrom =
  (...paths: string[]): FieldReader =>
  (object) =>
    idAt(object, ...paths)

/** Returns a reader of a time at these paths, as RFC 3339. */
export const timeFrom =
  (...paths: string[]): FieldReader =>
  (object) =>
    isoTime(valueAt(object, ...paths))

/** Returns a reader of an amount at these paths, in the minor unit of the object's currency. */
export const amountFrom =
  (...paths: string[]): FieldReader =>
  (object) =>
    minorUnits(object.currency, valueAt(object, ...paths))

/**
 * Returns a reader of the sum of the amounts in a list at these paths, in the minor unit of the object's currency. It reads
 * undefined from an empty list.
 */
export const sumFrom =
  (...paths: string[]): FieldReader =>
  (object) => {
    const amounts = listAt(object, ...paths).map(({ amount }) => amount as number)
    if (amounts.length === 0) return undefined
    const sum = amounts.reduce((total, amount) => total + amount)
    return minorUnits(object.currency, sum)
  }

/** Returns the readers of fields that have the same names in Stripe. */
export const sameNames = (...names: string[]): FieldReaders =>
  Object.fromEntries(names.map((name) => [name, valueFrom(name)]))
