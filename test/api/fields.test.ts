import { catalogue } from '../../shared/catalogue.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/bodies.ts'
import { expectInvalid, pathIn } from '../support/faults.ts'
import { inParallel } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import * as v from '../support/values.ts'

serveForTests()

let client: Client
let changed: { id: string }
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'the product' }))
  await client.create('/api/customers', customerBody({ id: 'the customer' }))
  changed = await client.create('/api/customers', customerBody({ id: 'changed' }))
})

type Field = v.Values & { readonly may: 'be absent' | 'not be absent'; readonly hidden?: true }
const required = (values: v.Values): Field => ({ ...values, may: 'not be absent' })
const optional = (values: v.Values): Field => ({ ...values, may: 'be absent' })
const hidden = (field: Field): Field => ({ ...field, hidden: true })

interface Operation {
  /** Returns a valid body with these fields changed. */
  readonly body: (fields: Record<string, unknown>) => Record<string, unknown>
  readonly send: (body: unknown) => ReturnType<Client['post']>
  readonly fields: Readonly<Record<string, Field>>
  /** Returns the object of the body that contains the fields. */
  readonly prefix?: string
}

const post = (path: string) => (body: unknown) => client.post(path, body)
const customerFields = {
  name: optional(v.text(255)),
  email: optional(v.text(320)),
  description: hidden(optional(v.text(2000))),
  created: hidden(optional(v.dates)),
  phone: hidden(optional(v.text(255))),
  metadata: optional(v.metadata),
}
const anInvoice = (fields: Record<string, unknown>) => invoiceBody({ customer_id: 'the customer', ...fields })
const known = (id: string): Field => required({ right: [id], wrong: [...v.clientIds.wrong, 'unknown', 404] })
const terms = { interval: v.oneOf('day', 'week', 'month', 'year'), type: v.oneOf('recurring', 'one_time') }

const operations: Readonly<Record<string, Operation>> = {
  'products.create': {
    body: productBody,
    send: post('/api/products'),
    fields: { id: required(v.clientIds), name: required(v.text(255)) },
  },
  'prices.create': {
    body: (fields) => priceBody({ product_id: 'the product', ...fields }),
    send: post('/api/prices'),
    fields: {
      id: required(v.clientIds),
      product_id: hidden(known('the product')),
      title: optional(v.text(255)),
      currency: required(v.currencies),
      price: required(v.amountsFromZero),
      tiered: optional(v.flags),
      type: required({ ...terms.type, right: ['recurring'] }),
      interval: required(terms.interval),
      interval_count: required(v.counts),
    },
  },
  'customers.create': {
    body: customerBody,
    send: post('/api/customers'),
    fields: { id: required(v.clientIds), ...customerFields },
  },
  'customers.update': {
    body: (fields) => ({ id: 'changed', ...fields }),
    send: (body) => client.put(`/api/customers/${changed.id}`, body),
    fields: { id: required({ right: ['changed'], wrong: v.clientIds.wrong }), ...customerFields },
  },
  'discounts.create': {
    // A discount has an amount or a percentage, and months only if it is repeating.
    body: (fields) =>
      discountBody({
        ...((fields.amount_off ?? null) === null ? {} : { percent_off: null }),
        ...((fields.duration_in_months ?? null) === null ? {} : { duration: 'repeating' }),
        ...fields,
      }),
    send: post('/api/discounts'),
    fields: {
      id: required(v.clientIds),
      name: required(v.text(255)),
      duration: required({ ...v.oneOf('once', 'forever') }),
      duration_in_months: optional(v.months),
      amount_off: optional(v.amountsFromZero),
      percent_off: required(v.percents),
      currency: required(v.currencies),
    },
  },
  'invoices.create': {
    body: anInvoice,
    send: post('/api/invoices'),
    fields: {
      id: required(v.clientIds),
      total: required(v.amounts),
      created: required(v.dates),
      period_start: required({ ...v.dates, right: v.dates.right.slice(0, 3) }),
      period_end: required(v.dates),
      currency: required(v.currencies),
      customer_id: known('the customer'),
      subscription_id: required({ right: v.clientIds.right, wrong: v.clientIds.wrong }),
      discounts: hidden(optional({ right: [[]], wrong: ['x', 1, {}, true, Array(51).fill('x')] })),
      line_items: hidden(optional({ right: [[], [{}]], wrong: ['x', 1, {}, true, Array(251).fill({})] })),
    },
  },
  'a line item': {
    prefix: 'line_items[1].',
    body: (fields) => anInvoice({ line_items: [{}, lineItem(fields)] }),
    send: post('/api/invoices'),
    fields: {
      id: optional(v.lineIds),
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
    },
  },
}

const rows = Object.entries(operations).flatMap(([name, operation]) =>
  Object.keys(operation.fields).map((field) => ({ name, field })),
)

describe('the fields of a body', () => {
  it('are all in this table', () => {
    for (const { id, body } of catalogue.filter((endpoint) => endpoint.body))
      expect([id, Object.keys(operations[id]?.fields ?? {})]).toEqual([
        id,
        Object.keys(body?.properties ?? {}),
      ])
    const { line_items } = catalogue.find(({ id }) => id === 'invoices.create')?.body?.properties ?? {}
    expect(Object.keys(operations['a line item']!.fields)).toEqual(
      Object.keys(line_items?.items?.properties ?? {}),
    )
  })

  const whole = Object.entries(operations).filter(([, { prefix }]) => prefix === undefined)
  it.each(whole)('%s returns the visible ones in this order (S1)', async (_, operation) => {
    const [entity = {}] = Object.values((await operation.send(operation.body({}))).json.data)
    const shown = Object.entries(operation.fields).flatMap(([name, { hidden }]) => (hidden ? [] : [name]))
    expect(Object.keys(entity as object)).toEqual(shown)
  })

  it.each(rows)('$name accepts every valid $field', async ({ name, field }) => {
    const { body, send, fields } = operations[name]!
    await inParallel(fields[field]!.right, async (value) => {
      const { status, details } = await send(body({ [field]: value }))
      expect({ value, status, details }).toEqual({ value, status: 200, details: [] })
    })
  })

  it.each(rows)('$name refuses every invalid $field, and names it', async ({ name, field }) => {
    const { body, send, fields, prefix = '' } = operations[name]!
    await inParallel(fields[field]!.wrong, async (value) => {
      const { status, details } = await send(body({ [field]: value }))
      expect({ value, status, paths: details.map(pathIn) }).toEqual({
        value,
        status: 422,
        paths: [prefix + field],
      })
    })
  })

  it.each(rows)('$name accepts an absent or null $field only if it is optional', async ({ name, field }) => {
    const { body, send, fields, prefix = '' } = operations[name]!
    for (const value of [undefined, null]) {
      const answer = await send(body({ [field]: value }))
      if (fields[field]!.may === 'be absent') expect([value, answer.status]).toEqual([value, 200])
      else expectInvalid(answer, prefix + field)
    }
  })
})
