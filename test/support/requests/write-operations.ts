import { customerBody, discountBody, invoiceBody, lineItem, priceBody, productBody } from './bodies.ts'
import * as v from './field-values.ts'
import type { Client } from './service.ts'

type Fields = Record<string, unknown>

/** The values of a field of a body. */
interface Field extends v.Values {
  readonly may: 'be absent' | 'not be absent'
  /** The value that a response shows if the field is absent or null. */
  readonly fallback?: unknown
  /** Whether responses omit the field. */
  readonly hidden?: true
}
const required = (values: v.Values): Field => ({ ...values, may: 'not be absent' })
const optional = (values: v.Values, fallback: unknown = null): Field => ({
  ...values,
  may: 'be absent',
  fallback,
})
const hidden = (field: Field): Field => ({ ...field, hidden: true })

/** The body of a writing operation, or an object in it. */
export interface WriteOperation {
  /** Returns a valid body with these fields changed. */
  readonly body: (fields: Fields) => Fields
  readonly fields: Readonly<Record<string, Field>>
  /** The path of the object that contains the fields, if it is not the body. */
  readonly prefix?: string
}

/** The ids of the entities that the bodies refer to or change. */
export const existingIds = {
  product: 'the product',
  price: 'the price',
  customer: 'the customer',
  changed: 'changed',
}

/** Creates the entities that the bodies refer to or change. */
export const createExisting = async (client: Client): Promise<void> => {
  await client.create('/api/products', productBody({ id: existingIds.product }))
  await client.create('/api/prices', priceBody({ id: existingIds.price, product_id: existingIds.product }))
  for (const id of [existingIds.customer, existingIds.changed]) await client.create('/api/customers', { id })
}

const customerFields = {
  name: optional(v.text(5_000)),
  email: optional(v.text(512)),
  description: hidden(optional(v.text(5_000))),
  created: hidden(optional(v.dates)),
  phone: hidden(optional(v.text(255))),
  metadata: optional(v.metadata, {}),
}
const anInvoice = (fields: Fields) => invoiceBody({ customer_id: existingIds.customer, ...fields })
/** Returns the field of a reference to the entity with this id. */
const referenceTo = (id: string): Field => required({ ...v.clientIds, right: [id] })
const period = { ...v.dates, right: v.dates.right.slice(0, 3) }
const terms = { interval: v.oneOf('day', 'week', 'month', 'year'), type: v.oneOf('recurring', 'one_time') }

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** The writing operations by id, and a line item of an invoice. */
export const writeOperations: Readonly<Record<string, WriteOperation>> = {
  'products.create': {
    body: productBody,
    fields: { id: required(v.clientIds), name: required(v.text(5_000)) },
  },
  'prices.create': {
    body: (fields) => priceBody({ product_id: existingIds.product, ...fields }),
    fields: {
      id: required(v.clientIds),
      product_id: hidden(referenceTo(existingIds.product)),
      title: optional(v.text(5_000)),
      currency: required(v.currencies),
      price: required(v.amountsFromZero),
      tiered: optional(v.flags, false),
      type: required({ ...terms.type, right: ['recurring'] }),
      interval: required(terms.interval),
      interval_count: required(v.counts),
    },
  },
  'customers.create': { body: customerBody, fields: { id: required(v.clientIds), ...customerFields } },
  'customers.update': {
    body: (fields) => ({ id: existingIds.changed, ...fields }),
    fields: { id: required({ ...v.clientIds, right: [existingIds.changed] }), ...customerFields },
  },
  'discounts.create': {
    // A discount has an amount or a percentage, and months only if it is repeating.
    body: (fields) =>
      discountBody({
        ...(isGiven(fields.amount_off) ? { percent_off: null } : {}),
        ...(isGiven(fields.duration_in_months) ? { duration: 'repeating' } : {}),
        ...fields,
      }),
    fields: {
      id: required(v.clientIds),
      name: required(v.text(5_000)),
      duration: required({ ...v.oneOf('once', 'forever') }),
      duration_in_months: optional(v.months),
      amount_off: optional(v.amountsFromZero),
      percent_off: required(v.percents),
      currency: required(v.currencies),
    },
  },
  'invoices.create': {
    body: anInvoice,
    fields: {
      id: required(v.clientIds),
      total: required(v.amounts),
      created: required(v.dates),
      period_start: required(period),
      period_end: required(period),
      currency: required(v.currencies),
      customer_id: referenceTo(existingIds.customer),
      subscription_id: required(v.clientIds),
      discounts: hidden(optional({ right: [[]], wrong: ['x', 1, {}, true, Array(51).fill('x')] }, [])),
      line_items: hidden(
        optional({ right: [[], [{}]], wrong: ['x', 1, {}, true, Array(1_001).fill({})] }, []),
      ),
    },
  },
  'a line item': {
    prefix: 'line_items[1].',
    body: (fields) => anInvoice({ line_items: [{}, lineItem(fields)] }),
    fields: {
      id: optional(v.lineIds, expect.stringMatching(/^li_[0-9A-Za-z]{22}$/)),
      amount: optional(v.amounts),
      currency: optional(v.currencies),
      quantity: optional(v.amounts),
      discount_amount: optional(v.amounts),
      tax_amount: optional(v.amounts),
      period_start: optional(v.dates),
      period_end: optional(v.dates),
      interval: optional(terms.interval),
      interval_count: optional(v.counts),
      type: optional(terms.type),
      price_id: hidden(optional({ ...v.clientIds, right: [existingIds.price] })),
    },
  },
}
