// Generated from the contract by "npm run generate". A test checks that it is up to date.
import type {
  AnyMetadata,
  Creates,
  Lists,
  Retrieves,
  Updates,
  Upserts,
  WithExternalId,
  Within,
} from './operations.ts'

/** The values of `type`. @example const type: PriceType = 'recurring' */
export type PriceType = 'recurring' | 'one_time'

/** The values of `interval`. @example const interval: Interval = 'day' */
export type Interval = 'day' | 'week' | 'month' | 'year'

/** The values of `duration`. @example const duration: DiscountDuration = 'once' */
export type DiscountDuration = 'once' | 'repeating' | 'forever'

/** The values of `change`. @example const change: ChangeKind = 'INSERT' */
export type ChangeKind = 'INSERT' | 'MODIFY'

/** A product, as the service returns it. @example const show = ({ id, name }: Product) => console.log(id, name) */
export interface Product {
  /** The id of the product that the service assigned. An id such as prod_…. */
  id: string
  /** The name of the product. A string of at most 5000 characters. */
  name: string
}

/** The values that can be embedded into products. @example const { prices } = await billing.products.retrieve('an id', { include: ['prices'] }) */
export interface ProductEmbeds<Ids = Partial<WithExternalId>> {
  /** All prices of the product, newest first. A page ends early if they would make it larger than 5 MiB. If the prices of a single product do not fit, the response is 422: read them with `GET /api/prices?product_id=`. A list. */
  prices: (Price & Ids)[]
  /** Your own id of the product, as text. */
  external_id: string
}

/** A product to create. @example const body: CreateProduct = { id: 'plan-pro', name: 'Pro plan' } */
export interface CreateProduct {
  /** Your own id of the product. It never changes. A string of 1 to 255 characters without control characters, not "." or "..", or an integer within ±(2^53−1). */
  id: string | number
  /** The name of the product. A string of at most 5000 characters. */
  name: string
}

/** A price, as the service returns it. @example const show = ({ id, interval_count }: Price) => console.log(id, interval_count) */
export interface Price {
  /** The id of the price that the service assigned. An id such as price_…. */
  id: string
  /** The name of the price. A string of at most 5000 characters, or null. */
  title: string | null
  /** The currency of the amount. An ISO 4217 code, such as "EUR". */
  currency: string
  /** The amount, in minor units (cents). An integer in minor units (cents) from 0 to 2^53−1. */
  price: number
  /** Whether the price has tiers. True or false. */
  tiered: boolean
  /** Whether the price recurs. One of "recurring", "one_time". */
  type: PriceType | (string & {})
  /** The unit of time after which it recurs. One of "day", "week", "month", "year", or null. */
  interval: Interval | (string & {}) | null
  /** The number of intervals between two payments. An integer of at least 1, or null. */
  interval_count: number | null
}

/** The values that can be embedded into prices. @example const { product } = await billing.prices.retrieve('an id', { include: ['product'] }) */
export interface PriceEmbeds<Ids = Partial<WithExternalId>> {
  /** The product that the price belongs to. */
  product: Product & Ids
  /** Your own id of the price, as text. */
  external_id: string
}

/** The fields of CreatePrice. @example const body: CreatePriceFields = { id: 'plan-pro-monthly', product_id: 'plan-pro', title: 'Pro, monthly', currency: 'EUR', price: 1999, type: 'recurring', interval: 'month', interval_count: 1 } */
export interface CreatePriceFields {
  /** Your own id of the price. It never changes. A string of 1 to 255 characters without control characters, not "." or "..", or an integer within ±(2^53−1). */
  id: string | number
  /** The product that the price belongs to. Returned only by `include=product`. An id that we assigned or your own. */
  product_id: string | number
  /** The name of the price. A string of at most 5000 characters, or null. */
  title?: string | null | undefined
  /** The currency of the amount. An ISO 4217 code, such as "EUR". */
  currency: string
  /** The amount, in minor units (cents). An integer in minor units (cents) from 0 to 2^53−1. */
  price: number
  /** Whether the price has tiers. True or false, or null. */
  tiered?: boolean | null | undefined
  /** Whether the price recurs. One of "recurring", "one_time". */
  type: PriceType
  /** The unit of time after which it recurs. One of "day", "week", "month", "year", or null. */
  interval?: Interval | null | undefined
  /** The number of intervals between two payments. An integer of at least 1, or null. */
  interval_count?: number | null | undefined
}

/** A price to create. @example const body: CreatePrice = { id: 'plan-pro-monthly', product_id: 'plan-pro', title: 'Pro, monthly', currency: 'EUR', price: 1999, type: 'recurring', interval: 'month', interval_count: 1 } */
export type CreatePrice = CreatePriceFields
  & (
    | { type: 'recurring'; interval: Interval; interval_count: number }
    | { type: 'one_time'; interval?: null | undefined; interval_count?: null | undefined }
  )

/** A customer, as the service returns it. @example const show = ({ id, metadata }: Customer) => console.log(id, metadata) */
export interface Customer<Metadata extends object = AnyMetadata> {
  /** The id of the customer that the service assigned. An id such as cus_…. */
  id: string
  /** The full name. A string of at most 5000 characters, or null. */
  name: string | null
  /** The email address, stored as you send it. A string of at most 512 characters, or null. */
  email: string | null
  /** Your own keys and values, of any JSON type, returned exactly as sent. At most 16 KiB and 8 levels deep. An object of at most 50 keys. */
  metadata: Metadata
}

/** The values that can be embedded into customers. @example const { external_id } = await billing.customers.retrieve('an id', { include: ['external_id'] }) */
export interface CustomerEmbeds {
  /** Your own id of the customer, as text. */
  external_id: string
}

/** A customer to create. @example const body: CreateCustomer = { id: 1042, name: 'Ann Example', email: 'ann@example.org', description: 'Met at the trade fair', created: '2026-01-15T09:30:00+01:00', phone: '+49 30 1234567', metadata: { plan: 'pro', seats: 3, newsletter: true } } */
export interface CreateCustomer<Metadata extends object = AnyMetadata> {
  /** Your own id of the customer. It never changes. A string of 1 to 255 characters without control characters, not "." or "..", or an integer within ±(2^53−1). */
  id: string | number
  /** The full name. A string of at most 5000 characters, or null. */
  name?: string | null | undefined
  /** The email address, stored as you send it. A string of at most 512 characters, or null. */
  email?: string | null | undefined
  /** A note. Stored, but not returned. A string of at most 5000 characters, or null. */
  description?: string | null | undefined
  /** The time at which the customer was created. Stored, but not returned. A date such as "2024-01-31", "2024-01-31 09:30:00" (UTC) or "2024-01-31T09:30:00+01:00", or null. */
  created?: string | Date | null | undefined
  /** A phone number. Stored, but not returned. A string of at most 255 characters, or null. */
  phone?: string | null | undefined
  /** Your own keys and values, of any JSON type, returned exactly as sent. At most 16 KiB and 8 levels deep. An object of at most 50 keys, or null. */
  metadata?: Metadata | null | undefined
}

/** The fields of a customer to change. @example const body: UpdateCustomer = { email: 'ann@new.example.org', phone: null } */
export interface UpdateCustomer<Metadata extends object = AnyMetadata> {
  /** The full name. A string of at most 5000 characters, or null. */
  name?: string | null | undefined
  /** The email address, stored as you send it. A string of at most 512 characters, or null. */
  email?: string | null | undefined
  /** A note. Stored, but not returned. A string of at most 5000 characters, or null. */
  description?: string | null | undefined
  /** The time at which the customer was created. Stored, but not returned. A date such as "2024-01-31", "2024-01-31 09:30:00" (UTC) or "2024-01-31T09:30:00+01:00", or null. */
  created?: string | Date | null | undefined
  /** A phone number. Stored, but not returned. A string of at most 255 characters, or null. */
  phone?: string | null | undefined
  /** Your own keys and values, of any JSON type, returned exactly as sent. At most 16 KiB and 8 levels deep. An object of at most 50 keys, or null. */
  metadata?: Metadata | null | undefined
}

/** A discount, as the service returns it. @example const show = ({ id, currency }: Discount) => console.log(id, currency) */
export interface Discount {
  /** The id of the discount that the service assigned. An id such as disc_…. */
  id: string
  /** The name of the discount. A string of at most 5000 characters. */
  name: string
  /** How often the discount applies: to one invoice, for some months, or always. One of "once", "repeating", "forever". */
  duration: DiscountDuration | (string & {})
  /** The number of months for which a `repeating` discount applies. An integer of at least 1, or null. */
  duration_in_months: number | null
  /** The amount taken off, in minor units (cents). An integer in minor units (cents) from 0 to 2^53−1, or null. */
  amount_off: number | null
  /** The percentage taken off. An integer from 1 to 100, or null. */
  percent_off: number | null
  /** The currency of the amount. An ISO 4217 code, such as "EUR", or "XXX" (no currency) with a percentage. */
  currency: string
}

/** The values that can be embedded into discounts. @example const { external_id } = await billing.discounts.retrieve('an id', { include: ['external_id'] }) */
export interface DiscountEmbeds {
  /** Your own id of the discount, as text. */
  external_id: string
}

/** The fields of CreateDiscount. @example const body: CreateDiscountFields = { id: 'SPRING26', name: 'Spring 2026', duration: 'repeating', duration_in_months: 3, percent_off: 10, currency: 'EUR' } */
export interface CreateDiscountFields {
  /** Your own id of the discount. It never changes. A string of 1 to 255 characters without control characters, not "." or "..", or an integer within ±(2^53−1). */
  id: string | number
  /** The name of the discount. A string of at most 5000 characters. */
  name: string
  /** How often the discount applies: to one invoice, for some months, or always. One of "once", "repeating", "forever". */
  duration: DiscountDuration
  /** The number of months for which a `repeating` discount applies. An integer of at least 1, or a string of its digits, or null. */
  duration_in_months?: number | string | null | undefined
  /** The amount taken off, in minor units (cents). An integer in minor units (cents) from 0 to 2^53−1, or null. */
  amount_off?: number | null | undefined
  /** The percentage taken off. An integer from 1 to 100, or null. */
  percent_off?: number | null | undefined
  /** The currency of the amount. An ISO 4217 code, such as "EUR", or "XXX" (no currency) with a percentage. */
  currency: string
}

/** A discount to create. @example const body: CreateDiscount = { id: 'SPRING26', name: 'Spring 2026', duration: 'repeating', duration_in_months: 3, percent_off: 10, currency: 'EUR' } */
export type CreateDiscount = CreateDiscountFields
  & (
    | { duration: 'repeating'; duration_in_months: number | string }
    | { duration: 'once' | 'forever'; duration_in_months?: null | undefined }
  )
  & (
    | { amount_off?: null | undefined; percent_off: number }
    | { amount_off: number; percent_off?: null | undefined }
  )

/** An invoice, as the service returns it. @example const show = ({ id, subscription_id }: Invoice) => console.log(id, subscription_id) */
export interface Invoice {
  /** The id of the invoice that the service assigned. An id such as inv_…. */
  id: string
  /** The total in minor units (cents): the line items less their discounts; negative for a credit. An integer in minor units (cents) within ±(2^53−1). */
  total: number
  /** The time at which the invoice was created. Seconds since the epoch, UTC. */
  created: number
  /** The start of the billed period. Seconds since the epoch, UTC. */
  period_start: number
  /** The end of the billed period, exclusive: the start of the next one. Not before `period_start`. Seconds since the epoch, UTC. */
  period_end: number
  /** The currency of the amounts. An ISO 4217 code, such as "EUR". */
  currency: string
  /** The customer who is billed. An id such as cus_…. */
  customer_id: string
  /** The subscription that is billed. An id such as sub_…. */
  subscription_id: string
}

/** The values that can be embedded into invoices. @example const { line_items } = await billing.invoices.retrieve('an id', { include: ['line_items'] }) */
export interface InvoiceEmbeds<Metadata extends object = AnyMetadata, Ids = Partial<WithExternalId>> {
  /** The line items of the invoice, in the order in which you sent them. A list of at most 1000 items. */
  line_items: LineItem[]
  /** The subscription that is billed. */
  subscription: Subscription & Ids
  /** The customer who is billed. */
  customer: Customer<Metadata> & Ids
  /** The discounts that were applied. A list of at most 50 items. */
  discounts: (Discount & Ids)[]
  /** The price that was billed, with its product; null if the line item has none. Returned only by `include=price`. */
  price: Within<'line_items', Price & Ids & { product: Product & Ids } | null>
  /** Your own id of the invoice, as text. */
  external_id: string
}

/** One of the line items. @example const show = ({ id, type }: LineItem) => console.log(id, type) */
export interface LineItem {
  /** The id of the line item: your own, or one that the service assigned. A string of 1 to 255 characters without control characters. */
  id: string
  /** The amount of the whole line item, all units, before its discount, in minor units (cents); negative for a credit. It includes the tax, unless the total of the invoice adds the tax on top. An integer in minor units (cents) within ±(2^53−1), or null. */
  amount: number | null
  /** The currency of the amounts. An ISO 4217 code, such as "EUR", or null. */
  currency: string | null
  /** The units within `amount`, which is the amount of all of them. An integer within ±(2^53−1), or null. */
  quantity: number | null
  /** The discount on `amount`, in minor units (cents). An integer in minor units (cents) within ±(2^53−1), or null. */
  discount_amount: number | null
  /** The tax on `amount` after its discount, in minor units (cents). An integer in minor units (cents) within ±(2^53−1), or null. */
  tax_amount: number | null
  /** The start of the billed period. A line item without a period has the period of its invoice. Seconds since the epoch, UTC, or null. */
  period_start: number | null
  /** The end of the billed period, exclusive: the start of the next one. Not before `period_start`. Seconds since the epoch, UTC, or null. */
  period_end: number | null
  /** The unit of time after which it recurs. One of "day", "week", "month", "year", or null. */
  interval: Interval | (string & {}) | null
  /** The number of intervals between two payments. An integer of at least 1, or null. */
  interval_count: number | null
  /** Whether the line item recurs. One of "recurring", "one_time", or null. */
  type: PriceType | (string & {}) | null
}

/** An invoice to create. @example const body: CreateInvoice = { id: '2026-0007', total: 1799, created: '2026-02-01', period_start: '2026-02-01', period_end: '2026-03-01', currency: 'EUR', customer_id: 1042, subscription_id: 'sub-1042-pro', discounts: [ 'SPRING26' ], line_items: [ { id: 'line-1', amount: 1999, currency: 'EUR', quantity: 1, discount_amount: 200, tax_amount: 287, period_start: '2026-02-01', period_end: '2026-03-01', interval: 'month', interval_count: 1, type: 'recurring', price_id: 'plan-pro-monthly' } ] } */
export interface CreateInvoice {
  /** Your own id of the invoice. It never changes. A string of 1 to 255 characters without control characters, not "." or "..", or an integer within ±(2^53−1). */
  id: string | number
  /** The total in minor units (cents): the line items less their discounts; negative for a credit. An integer in minor units (cents) within ±(2^53−1). */
  total: number
  /** The time at which the invoice was created. A date such as "2024-01-31", "2024-01-31 09:30:00" (UTC) or "2024-01-31T09:30:00+01:00". */
  created: string | Date
  /** The start of the billed period. A date such as "2024-01-31", "2024-01-31 09:30:00" (UTC) or "2024-01-31T09:30:00+01:00". */
  period_start: string | Date
  /** The end of the billed period, exclusive: the start of the next one. Not before `period_start`. A date such as "2024-01-31", "2024-01-31 09:30:00" (UTC) or "2024-01-31T09:30:00+01:00". */
  period_end: string | Date
  /** The currency of the amounts. An ISO 4217 code, such as "EUR". */
  currency: string
  /** The customer who is billed. An id that we assigned or your own. */
  customer_id: string | number
  /** The subscription that is billed. An id that we assigned or your own. */
  subscription_id: string | number
  /** The discounts that were applied. Returned only by `include=discounts`. A list of at most 50 items, or null. */
  discounts?: readonly (string | number)[] | null | undefined
  /** The line items of the invoice, in the order in which you sent them. A list of at most 1000 items, or null. */
  line_items?: readonly CreateLineItem[] | null | undefined
}

/** One of the line items. @example const body: CreateLineItem = { id: 'line-1', amount: 1999, currency: 'EUR', quantity: 1, discount_amount: 200, tax_amount: 287, period_start: '2026-02-01', period_end: '2026-03-01', interval: 'month', interval_count: 1, type: 'recurring', price_id: 'plan-pro-monthly' } */
export interface CreateLineItem {
  /** The id of the line item: your own, or one that the service assigned. A string of 1 to 255 characters without control characters, or an integer within ±(2^53−1), or null. */
  id?: string | number | null | undefined
  /** The amount of the whole line item, all units, before its discount, in minor units (cents); negative for a credit. It includes the tax, unless the total of the invoice adds the tax on top. An integer in minor units (cents) within ±(2^53−1), or null. */
  amount?: number | null | undefined
  /** The currency of the amounts. An ISO 4217 code, such as "EUR", or null. */
  currency?: string | null | undefined
  /** The units within `amount`, which is the amount of all of them. An integer within ±(2^53−1), or null. */
  quantity?: number | null | undefined
  /** The discount on `amount`, in minor units (cents). An integer in minor units (cents) within ±(2^53−1), or null. */
  discount_amount?: number | null | undefined
  /** The tax on `amount` after its discount, in minor units (cents). An integer in minor units (cents) within ±(2^53−1), or null. */
  tax_amount?: number | null | undefined
  /** The start of the billed period. A line item without a period has the period of its invoice. A date such as "2024-01-31", "2024-01-31 09:30:00" (UTC) or "2024-01-31T09:30:00+01:00", or null. */
  period_start?: string | Date | null | undefined
  /** The end of the billed period, exclusive: the start of the next one. Not before `period_start`. A date such as "2024-01-31", "2024-01-31 09:30:00" (UTC) or "2024-01-31T09:30:00+01:00", or null. */
  period_end?: string | Date | null | undefined
  /** The unit of time after which it recurs. One of "day", "week", "month", "year", or null. */
  interval?: Interval | null | undefined
  /** The number of intervals between two payments. An integer of at least 1, or null. */
  interval_count?: number | null | undefined
  /** Whether the line item recurs. One of "recurring", "one_time", or null. */
  type?: PriceType | null | undefined
  /** The price that was billed. An id that we assigned or your own, or null. */
  price_id?: string | number | null | undefined
}

/** A subscription, as the service returns it. @example const show = ({ id, created }: Subscription) => console.log(id, created) */
export interface Subscription {
  /** The id of the subscription that the service assigned. An id such as sub_…. */
  id: string
  /** The customer who is billed. An id such as cus_…. */
  customer_id: string
  /** The currency of the amounts. An ISO 4217 code, such as "EUR". */
  currency: string
  /** The unit of time, from the latest invoice that has a recurring line item; null if no invoice has one. One of "day", "week", "month", "year", or null. */
  interval: Interval | (string & {}) | null
  /** The number of intervals between two payments, from the same line item. An integer of at least 1, or null. */
  interval_count: number | null
  /** The start of the latest billed period. Seconds since the epoch, UTC. */
  current_period_start: number
  /** The end of the latest billed period, exclusive. Seconds since the epoch, UTC. */
  current_period_end: number
  /** The invoice with the latest period. An id such as inv_…. */
  latest_invoice_id: string
  /** The time at which the earliest of its invoices was created. Seconds since the epoch, UTC. */
  created: number
}

/** The values that can be embedded into subscriptions. @example const { customer } = await billing.subscriptions.retrieve('an id', { include: ['customer'] }) */
export interface SubscriptionEmbeds<Metadata extends object = AnyMetadata, Ids = Partial<WithExternalId>> {
  /** The customer who is billed. */
  customer: Customer<Metadata> & Ids
  /** Your own id of the subscription, as text. */
  external_id: string
  /** The invoice with the latest period. */
  latest_invoice: Invoice & Ids
}

/** Which entity changed. @example const show = ({ change_id, entity }: ChangeDetail) => console.log(change_id, entity) */
export interface ChangeDetail {
  /** The id of the change. An event that is delivered twice has the same id. */
  change_id: string
  /** `INSERT` if the entity was created, `MODIFY` if it was changed. */
  change: ChangeKind | (string & {})
  /** The id of the application, `#`, and the id that the service assigned to the entity. */
  entity: string
}

/** An entity was created or changed; retrieve it to see its current state. @example const show = ({ version, detail }: ChangeEvent) => console.log(version, detail) */
export interface ChangeEvent {
  /** The version of the envelope. */
  version: string
  /** The id of the event. */
  id: string
  /** The type of the event. */
  'detail-type': string
  /** The sender of the event. */
  source: string
  /** The AWS account of the service. */
  account: string
  /** When the event was put on the bus, as RFC 3339. */
  time: string
  /** The AWS region of the service. */
  region: string
  /** Which entity changed. */
  detail: ChangeDetail
}

/**
 * The client: every resource with its operations. `Metadata` is the type of your customers' metadata.
 * @example const nameOf = async (billing: Client) => (await billing.customers.retrieve(42)).name
 */
export interface Client<Metadata extends object = AnyMetadata> {
  readonly products: Lists<Product, ProductEmbeds<Partial<WithExternalId>>, ProductEmbeds<WithExternalId>, unknown> & Creates<Product, CreateProduct, { readonly on_conflict?: 'update' }> & Retrieves<Product, ProductEmbeds<Partial<WithExternalId>>, ProductEmbeds<WithExternalId>> & Upserts<Product, CreateProduct>
  readonly prices: Lists<Price, PriceEmbeds<Partial<WithExternalId>>, PriceEmbeds<WithExternalId>, { readonly product_id?: string | number }> & Creates<Price, CreatePrice, { readonly on_conflict?: 'update' }> & Retrieves<Price, PriceEmbeds<Partial<WithExternalId>>, PriceEmbeds<WithExternalId>> & Upserts<Price, CreatePrice>
  readonly customers: Lists<Customer<Metadata>, CustomerEmbeds, CustomerEmbeds, unknown> & Creates<Customer<Metadata>, CreateCustomer<Metadata>, { readonly erased?: boolean; readonly on_conflict?: 'update' }> & Retrieves<Customer<Metadata>, CustomerEmbeds, CustomerEmbeds> & Updates<Customer<Metadata>, UpdateCustomer<Metadata>> & Upserts<Customer<Metadata>, CreateCustomer<Metadata>>
  readonly discounts: Lists<Discount, DiscountEmbeds, DiscountEmbeds, unknown> & Creates<Discount, CreateDiscount, { readonly on_conflict?: 'update' }> & Retrieves<Discount, DiscountEmbeds, DiscountEmbeds> & Upserts<Discount, CreateDiscount>
  readonly invoices: Lists<Invoice, InvoiceEmbeds<Metadata, Partial<WithExternalId>>, InvoiceEmbeds<Metadata, WithExternalId>, { readonly customer_id?: string | number }> & Creates<Invoice, CreateInvoice> & Retrieves<Invoice, InvoiceEmbeds<Metadata, Partial<WithExternalId>>, InvoiceEmbeds<Metadata, WithExternalId>>
  readonly subscriptions: Lists<Subscription, Pick<SubscriptionEmbeds<Metadata, Partial<WithExternalId>>, 'customer' | 'external_id'>, Pick<SubscriptionEmbeds<Metadata, WithExternalId>, 'customer' | 'external_id'>, { readonly customer_id?: string | number }> & Retrieves<Subscription, SubscriptionEmbeds<Metadata, Partial<WithExternalId>>, SubscriptionEmbeds<Metadata, WithExternalId>>
}

/** The version of the package. @example console.log(VERSION) */
export const VERSION = '0.6.1'

/**
 * The resources: the name of an entity, and the client's operations.
 * @example const { name } = resources.products
 */
export const resources = {
  products: { name: 'product', operations: ['list', 'create', 'retrieve', 'upsert'] },
  prices: { name: 'price', operations: ['list', 'create', 'retrieve', 'upsert'] },
  customers: { name: 'customer', operations: ['list', 'create', 'retrieve', 'update', 'upsert'] },
  discounts: { name: 'discount', operations: ['list', 'create', 'retrieve', 'upsert'] },
  invoices: { name: 'invoice', operations: ['list', 'create', 'retrieve'] },
  subscriptions: { name: 'subscription', operations: ['list', 'retrieve'] },
} as const
