/**
 * The types of the API, derived from the contract. The published package has the same types written out
 * (`lib/package/declarations.ts`), since nobody should need our schema library to read them.
 */
import type { Endpoint } from '../shared/contract/endpoint.ts'
import type { Resource } from '../shared/contract/resource.ts'
import type { ObjectSchema, ValueOf, Values } from '../shared/contract/schema.ts'
import type { customer, customers } from '../shared/resources/customer.ts'
import type { discount, discounts } from '../shared/resources/discount.ts'
import type { invoice, invoices } from '../shared/resources/invoice.ts'
import type { lineItemRequest, lineItemResponse } from '../shared/resources/line-item.ts'
import type { price, prices } from '../shared/resources/price.ts'
import type { product, products } from '../shared/resources/product.ts'
import type { subscription, subscriptions } from '../shared/resources/subscription.ts'
import type { Creates, Lists, Retrieves, Updates } from './operations.ts'

/** A value in a response: a newer service may add to what is an enumeration today. */
type Answered<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends readonly (infer I)[]
    ? Answered<I>[]
    : T extends object
      ? { [K in keyof T]: Answered<T[K]> }
      : T

/** A value in a request: what is optional may also be undefined, and lists may be readonly. */
type Accepted<T> = T extends readonly (infer I)[]
  ? readonly Accepted<I>[]
  : T extends object
    ? { [K in keyof T]: Accepted<T[K]> | OptionalIn<T, K> }
    : T
type OptionalIn<T, K extends keyof T> = Partial<Pick<T, K>> extends Pick<T, K> ? undefined : never

type Shown<R extends Resource> = Answered<{ id: string } & Values<R['fields']>>
type BodyOf<E> =
  E extends Endpoint<infer _, infer B> ? (B extends ObjectSchema ? Accepted<ValueOf<B>> : never) : never
type EmbedsOf<E> =
  E extends Endpoint<infer _, infer __, infer I>
    ? {
        -readonly [K in keyof I]: I[K] extends { from: 'reference'; resource: infer R extends Resource }
          ? Shown<R>
          : I[K] extends { from: 'children'; resource: infer R extends Resource }
            ? Shown<R>[]
            : I[K] extends { from: 'kept'; schema: infer S }
              ? Answered<ValueOf<S>>
              : never
      }
    : never

export type Product = Shown<typeof product>
export type ProductEmbeds = EmbedsOf<typeof products.retrieve>
export type CreateProduct = BodyOf<typeof products.create>
export type Price = Shown<typeof price>
export type CreatePrice = BodyOf<typeof prices.create>
export type Customer = Shown<typeof customer>
export type CreateCustomer = BodyOf<typeof customers.create>
export type UpdateCustomer = Omit<BodyOf<typeof customers.update>, 'id'>
export type Discount = Shown<typeof discount>
export type CreateDiscount = BodyOf<typeof discounts.create>
export type Invoice = Shown<typeof invoice>
export type InvoiceEmbeds = EmbedsOf<typeof invoices.retrieve>
export type CreateInvoice = BodyOf<typeof invoices.create>
export type LineItem = Answered<ValueOf<typeof lineItemResponse>>
export type CreateLineItem = Accepted<ValueOf<typeof lineItemRequest>>
export type Subscription = Shown<typeof subscription>

interface Catalogue {
  readonly products: typeof products
  readonly prices: typeof prices
  readonly customers: typeof customers
  readonly discounts: typeof discounts
  readonly invoices: typeof invoices
  readonly subscriptions: typeof subscriptions
}

type EntityOf<E> = E extends Endpoint<infer R> ? Shown<R> : never

type Operations<E> = {
  readonly list: E extends { list: infer O } ? Lists<EntityOf<O>, EmbedsOf<O>> : unknown
  readonly create: E extends { create: infer O } ? Creates<EntityOf<O>, BodyOf<O>> : unknown
  readonly retrieve: E extends { retrieve: infer O } ? Retrieves<EntityOf<O>, EmbedsOf<O>> : unknown
  readonly update: E extends { update: infer O } ? Updates<EntityOf<O>, Omit<BodyOf<O>, 'id'>> : unknown
}

type AllOf<O extends Record<keyof Operations<unknown>, unknown>> = O['list'] &
  O['create'] &
  O['retrieve'] &
  O['update']

/** The client: every resource with its operations. */
export type Client = { readonly [K in keyof Catalogue]: AllOf<Operations<Catalogue[K]>> }
