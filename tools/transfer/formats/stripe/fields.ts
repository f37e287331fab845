import { amountOf, idAt, type Json, listAt, timeOf, valueAt } from './values.ts'

/** How fields are read from Stripe's objects. Everything here is pure. */

/** What an import accepts only if the user says so. */
export interface Accepted {
  /** Whether metadata over the service's limit is omitted. Otherwise its customer is refused. */
  readonly cutsMetadata: boolean
  /** Whether invoices without a subscription are recorded under a subscription for one-off invoices of their customer. */
  readonly recordsOneOffs: boolean
  /** Whether a list may end without its last page. */
  readonly allowsMissingPages: boolean
}

/** What the mapping of an object depends on: options, and other objects of the import. */
export interface MappingContext extends Pick<Accepted, 'cutsMetadata' | 'recordsOneOffs'> {
  /** Returns `interval`, `interval_count` and `usage_type` of a price, by Stripe's id. */
  recurrence(priceId: string): Json | undefined
  /** Returns whether the import has a price or plan itself, not only in other objects. */
  isListed(priceId: string): boolean
  /** Returns whether the import has a price, and not only a plan, under this id. */
  hasPrice(priceId: string): boolean
  /** Returns whether a coupon cannot be recorded because its percentage is not an integer. */
  isFractional(couponId: string): boolean
  /** Returns an invoice, by Stripe's id. */
  invoice(invoiceId: string): Json | undefined
}
/** Reads the value of one of our fields from an object of Stripe. */
export type Read = (object: Json, context: MappingContext) => unknown
export type Table = Readonly<Record<string, Read>>

export const value =
  (...paths: string[]): Read =>
  (object) =>
    valueAt(object, ...paths)

/** Returns the table of fields that have the same names in Stripe. */
export const same = (...names: string[]): Table =>
  Object.fromEntries(names.map((name) => [name, value(name)]))

export const id =
  (...paths: string[]): Read =>
  (object) =>
    idAt(object, ...paths)

export const time =
  (...paths: string[]): Read =>
  (object) =>
    timeOf(valueAt(object, ...paths))

export const money =
  (...paths: string[]): Read =>
  (object) =>
    amountOf(object.currency, valueAt(object, ...paths))

/** Reads the sum of the amounts in a list; undefined for an empty list. */
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

export const readAll = (table: Table, object: Json, context: MappingContext): Json =>
  Object.fromEntries(Object.entries(table).map(([name, read]) => [name, read(object, context)]))
