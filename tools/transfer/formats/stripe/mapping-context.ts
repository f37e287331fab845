import { invalid, type Row } from '../../row.ts'
import { isoMinorUnits, isoTime, listAt, objectIdOf, Refusal, type StripeObject, valueAt } from './values.ts'

/** What an import accepts only if the user allows it. */
export interface AcceptanceOptions {
  /** Whether metadata that exceeds the service's limit is left out. Otherwise, its customer is refused. */
  readonly cutsMetadata: boolean
  /** Whether invoices without a subscription are recorded under a subscription for the one-off invoices of their customer. */
  readonly recordsOneOffs: boolean
  /** Whether the last page of a list may be missing. */
  readonly allowsMissingPages: boolean
}

/** What the mapping of an object depends on: options, and other objects of the import, which are given by Stripe's ids. */
export interface MappingContext extends Pick<AcceptanceOptions, 'cutsMetadata' | 'recordsOneOffs'> {
  /** `interval`, `interval_count` and `usage_type` of a price; undefined if it is unknown or does not recur. */
  recurrence(priceId: string): StripeObject | undefined
  /** Whether the import contains an object of a type, such as `price`, on its own, and not only embedded in other objects. */
  isListed(type: string, id: string): boolean
  /** Whether a coupon cannot be recorded because its percentage is not an integer. */
  isFractional(couponId: string): boolean
  /** Undefined if the import does not contain the invoice. */
  invoice(invoiceId: string): StripeObject | undefined
}

/** The row of an object, without its place. It has no `data` if the object could not be mapped. */
export type Mapping = Partial<Omit<Row, 'file' | 'row'>>

/** If `map` throws Refusal, the row is invalid. */
export const tryMapping = (type: string, map: () => StripeObject): Mapping => {
  try {
    return { type, data: map() }
  } catch (error) {
    if (error instanceof Refusal) return { type, result: invalid(error.message) }
    throw error
  }
}

/** Reads the value of a field of this service from a Stripe object. Throws Refusal if the value cannot be recorded. */
export type FieldReader = (object: StripeObject, context: MappingContext) => unknown

/** How the fields of a resource are read from Stripe objects of one type, by the name of the field. */
export type FieldReaders = Readonly<Record<string, FieldReader>>

/** Throws Refusal for an object that cannot be mapped. */
export const readFields = (
  readers: FieldReaders,
  object: StripeObject,
  context: MappingContext,
): StripeObject =>
  Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(object, context)]))

/** Reads the first value, at paths, that is neither absent nor null, and converts it. */
const reader =
  (convert: (value: unknown, object: StripeObject) => unknown) =>
  (...paths: string[]): FieldReader =>
  (object) =>
    convert(valueAt(object, ...paths), object)

export const valueFrom = reader((value) => value)

/** Of another object, which may be embedded. */
export const idFrom = reader(objectIdOf)

export const timeFrom = reader(isoTime)

/** In the minor unit of the object's currency. */
export const amountFrom = reader((amount, { currency }) => isoMinorUnits(currency, amount))

/** The sum of the amounts in a list, in the minor unit of the object's currency; undefined for an empty list. */
export const sumFrom = reader((list, { currency }) => {
  const amounts = listAt({ list }, 'list').map(({ amount }) => amount as number)
  return amounts.length > 0
    ? isoMinorUnits(
        currency,
        amounts.reduce((sum, amount) => sum + amount),
      )
    : undefined
})
