import type { Exchange } from './exchanges.ts'

/** The resources as the specification defines them: nothing here is derived from what the service declares. */

/** A body of a create, and what its response shows besides the id. */
interface Create {
  readonly what: string
  readonly body: object
  readonly shown: object
}

interface Resource {
  /** The names in the envelopes. */
  readonly singular: string
  readonly plural: string
  /** The creates of what the bodies refer to. */
  readonly needs: readonly Exchange[]
  /** The fields of a response and their types. */
  readonly fields: Readonly<Record<string, string>>
  readonly creates: readonly [Create, ...Create[]]
}

const product: Resource = {
  singular: 'product',
  plural: 'products',
  needs: [],
  fields: { id: 'string', name: 'string' },
  creates: [{ what: 'all fields', body: { id: 'pro', name: 'Pro' }, shown: { name: 'Pro' } }],
}

const monthly = {
  title: 'Monthly',
  currency: 'EUR',
  price: 1900,
  type: 'recurring',
  interval: 'month',
  interval_count: 1,
}
const setup = { currency: 'USD', price: 500, type: 'one_time' }

export const price: Resource = {
  singular: 'price',
  plural: 'prices',
  needs: [{ request: 'POST /api/products', body: { id: 'pro', name: 'Pro' } }],
  fields: {
    id: 'string',
    title: 'string or null',
    currency: 'string',
    price: 'integer',
    tiered: 'boolean',
    type: 'string',
    interval: 'string or null',
    interval_count: 'integer or null',
  },
  creates: [
    {
      what: 'all fields of a recurring one',
      body: { id: 'monthly', product_id: '<product_id>', ...monthly },
      shown: { ...monthly, tiered: false },
    },
    {
      what: 'the required fields of a one-time one',
      body: { id: 'setup', product_id: '<product_id>', ...setup },
      shown: { ...setup, title: null, tiered: false, interval: null, interval_count: null },
    },
  ],
}

export const person = {
  id: 'ann',
  name: 'Ann Example',
  email: 'ann@example.org',
  description: 'Since the fair',
  created: '2024-02-29',
  phone: '+49 30 1',
  metadata: { plan: 'pro', seats: 5 },
}

const customer: Resource = {
  singular: 'customer',
  plural: 'customers',
  needs: [],
  fields: { id: 'string', name: 'string or null', email: 'string or null', metadata: 'object' },
  creates: [
    {
      what: 'all fields',
      body: person,
      shown: { name: 'Ann Example', email: 'ann@example.org', metadata: { plan: 'pro', seats: 5 } },
    },
    { what: 'the required field', body: { id: 1042 }, shown: { name: null, email: null, metadata: {} } },
  ],
}

const spring = { name: 'Spring', duration: 'repeating', percent_off: 10, currency: 'EUR' }
const gift = { name: 'Gift', duration: 'once', amount_off: 500, currency: 'USD' }

const discount: Resource = {
  singular: 'discount',
  plural: 'discounts',
  needs: [],
  fields: {
    id: 'string',
    name: 'string or null',
    duration: 'string',
    duration_in_months: 'integer or null',
    amount_off: 'integer or null',
    percent_off: 'integer or null',
    currency: 'string',
  },
  creates: [
    {
      what: 'a percentage and months as a string',
      body: { id: 'spring', ...spring, duration_in_months: '3' },
      shown: { ...spring, duration_in_months: 3, amount_off: null },
    },
    {
      what: 'an amount',
      body: { id: 'gift', ...gift },
      shown: { ...gift, duration_in_months: null, percent_off: null },
    },
  ],
}

const required = {
  id: '2024-001',
  total: 1710,
  created: '2024-03-01T00:00:00Z',
  period_start: '2024-03-01',
  period_end: '2024-04-01 00:00:00',
  currency: 'EUR',
  customer_id: '<customer_id>',
  subscription_id: 'ann-pro',
}

export const line = {
  id: 'line-1',
  amount: 1900,
  currency: 'EUR',
  quantity: 1,
  discount_amount: 190,
  tax_amount: 0,
  period_start: '2024-03-01',
  period_end: '2024-04-01',
  interval: 'month',
  interval_count: 1,
  type: 'recurring',
}

const billed = {
  total: 1710,
  created: 1709251200,
  period_start: 1709251200,
  period_end: 1711929600,
  currency: 'EUR',
  customer_id: '<customer_id>',
  subscription_id: '<subscription_id>',
}

export const invoice: Resource = {
  singular: 'invoice',
  plural: 'invoices',
  needs: [
    { request: 'POST /api/customers', body: person },
    ...discount.creates.map(({ body }) => ({ request: 'POST /api/discounts', body })),
  ],
  fields: {
    id: 'string',
    total: 'integer',
    created: 'integer',
    period_start: 'integer',
    period_end: 'integer',
    currency: 'string',
    customer_id: 'string',
    subscription_id: 'string',
  },
  creates: [
    {
      what: 'all fields',
      body: { ...required, discounts: ['<discount_id>', '<discount_id_2>'], line_items: [line] },
      shown: billed,
    },
    { what: 'the required fields', body: required, shown: billed },
  ],
}

export const specified: readonly Resource[] = [price, customer, discount, invoice, product]
