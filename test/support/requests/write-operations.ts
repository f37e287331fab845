import { customerBody, discountBody, invoiceBody, lineItem, priceBody, productBody } from './bodies.ts'
import * as values from './field-values.ts'
import type { Client } from './service.ts'

type Fields = Record<string, unknown>

interface Field extends values.FieldValues {
  readonly isOptional: boolean
  /** Shown if the field is absent or null. */
  readonly fallback?: unknown
  readonly isHidden?: true
}
const required = (accepted: values.FieldValues): Field => ({ ...accepted, isOptional: false })
const optional = (accepted: values.FieldValues, fallback: unknown = null): Field => ({
  ...accepted,
  isOptional: true,
  fallback,
})
const hidden = (field: Field): Field => ({ ...field, isHidden: true })

/** Or an object in such a body. */
export interface WriteOperation {
  readonly body: (fields: Fields) => Fields
  readonly fields: Readonly<Record<string, Field>>
  /** Of the object that contains the fields, if it is not the body. */
  readonly prefix?: string
}

/** Client ids. Updates change the customer. */
export const existingIds = {
  product: 'the product',
  price: 'the price',
  customer: 'the customer',
  updatedCustomer: 'the updated customer',
}

export const createExisting = async (client: Client): Promise<void> => {
  await client.create('/api/products', productBody({ id: existingIds.product }))
  await client.create('/api/prices', priceBody({ id: existingIds.price, product_id: existingIds.product }))
  for (const id of [existingIds.customer, existingIds.updatedCustomer])
    await client.create('/api/customers', { id })
}

const customerFields = {
  name: optional(values.text(5_000)),
  email: optional(values.text(512)),
  description: hidden(optional(values.text(5_000))),
  created: hidden(optional(values.dates)),
  phone: hidden(optional(values.text(255))),
  metadata: optional(values.metadata, {}),
}
const invoiceOfCustomer = (fields: Fields) => invoiceBody({ customer_id: existingIds.customer, ...fields })
const referenceTo = (id: string): Field => required({ ...values.clientIds, valid: [id] })
/** Dates within the period of the default invoice, since a period must not end before it starts. */
const periodDates = { ...values.requiredDates, valid: values.dates.valid.slice(0, 3) }
const intervals = values.oneOf('day', 'week', 'month', 'year')
const types = values.oneOf('recurring', 'one_time')

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** By id, with the line items of an invoice. */
export const writeOperations: Readonly<Record<string, WriteOperation>> = {
  'products.create': {
    body: productBody,
    fields: { id: required(values.clientIds), name: required(values.text(5_000)) },
  },
  'prices.create': {
    body: (fields) => priceBody({ product_id: existingIds.product, ...fields }),
    fields: {
      id: required(values.clientIds),
      product_id: hidden(referenceTo(existingIds.product)),
      title: optional(values.text(5_000)),
      currency: required(values.currencies),
      price: required(values.amountsFromZero),
      tiered: optional(values.flags, false),
      type: required({ ...types, valid: ['recurring'] }),
      interval: required(intervals),
      interval_count: required(values.counts),
    },
  },
  'customers.create': { body: customerBody, fields: { id: required(values.clientIds), ...customerFields } },
  'customers.update': {
    body: (fields) => ({ id: existingIds.updatedCustomer, ...fields }),
    fields: {
      id: required({ ...values.clientIds, valid: [existingIds.updatedCustomer] }),
      ...customerFields,
    },
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
      id: required(values.clientIds),
      name: required(values.text(5_000)),
      duration: required(values.oneOf('once', 'forever')),
      duration_in_months: optional(values.months),
      amount_off: optional(values.amountsFromZero),
      percent_off: required(values.percents),
      currency: required(values.currencies),
    },
  },
  'invoices.create': {
    body: invoiceOfCustomer,
    fields: {
      id: required(values.clientIds),
      total: required(values.amounts),
      created: required(values.requiredDates),
      period_start: required(periodDates),
      period_end: required(periodDates),
      currency: required(values.currencies),
      customer_id: referenceTo(existingIds.customer),
      subscription_id: required(values.clientIds),
      discounts: hidden(optional({ valid: [[]], invalid: ['x', 1, {}, true, Array(51).fill('x')] }, [])),
      line_items: hidden(
        optional({ valid: [[], [{}]], invalid: ['x', 1, {}, true, Array(1_001).fill({})] }, []),
      ),
    },
  },
  'a line item': {
    prefix: 'line_items[1].',
    body: (fields) => invoiceOfCustomer({ line_items: [{}, lineItem(fields)] }),
    fields: {
      id: optional(values.lineIds, expect.stringMatching(/^li_[0-9A-Za-z]{22}$/)),
      amount: optional(values.amounts),
      currency: optional(values.currencies),
      quantity: optional(values.amounts),
      discount_amount: optional(values.amounts),
      tax_amount: optional(values.amounts),
      period_start: optional(values.dates),
      period_end: optional(values.dates),
      interval: optional(intervals),
      interval_count: optional(values.counts),
      type: optional(types),
      price_id: hidden(optional({ ...values.clientIds, valid: [existingIds.price] })),
    },
  },
}
