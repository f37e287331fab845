import fc from 'fast-check'
import type { Client } from './service.ts'
import { writing } from './writing.ts'

/** Random histories of an application: creates, updates and erasures, with values at the limits of the rules. */

type Body = Readonly<Record<string, unknown>>

/** A request of a history. References are client ids. */
interface Event {
  readonly path: string
  /** Absent for an erasure. */
  readonly body?: Body
}

const ids = ['a', 'b', '42', 43, 'a/b c?ü%2F#&=+', '__proto__', 'cus_NffrFeUfNV2Hib', '😀'.repeat(255)]
const id = fc.constantFrom(...ids)

/** Returns valid values for a random choice of an operation's fields, and always `own`. Some exclude each other. */
const valuesOf = (name: string, own: Record<string, fc.Arbitrary<unknown>> = {}): fc.Arbitrary<Body> => {
  const values = Object.entries(writing[name]!.fields).map(([field, { right, may }]) => [
    field,
    fc.constantFrom(...right, ...(may === 'be absent' ? [null] : [])),
  ])
  return fc.record({ ...Object.fromEntries(values), ...own }, { requiredKeys: Object.keys(own) })
}

const created = (plural: string, values: fc.Arbitrary<Body>) =>
  values.map((body): Event => ({ path: `/api/${plural}`, body: writing[`${plural}.create`]!.body(body) }))

const price = fc
  .tuple(valuesOf('prices.create', { id, product_id: id }), fc.boolean())
  .map(([body, once]) =>
    once ? { ...body, type: 'one_time', interval: null, interval_count: undefined } : body,
  )
const pricedAt = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: id })
// Each customer has subscriptions of its own, so that few invoices are refused.
const invoice = valuesOf('invoices.create', {
  id: fc.constantFrom(...ids, 1, 2, 3, 4, 5, 6, 7, 8),
  customer_id: id,
  discounts: fc.option(fc.array(id, { maxLength: 3 })),
  line_items: fc.option(fc.array(valuesOf('a line item', { price_id: pricedAt }), { maxLength: 3 })),
}).map((body): Body => ({ ...body, subscription_id: `of ${body.customer_id}` }))

const changed = (change: fc.Arbitrary<Body | undefined>) =>
  fc.tuple(id, change).map(([customer, body]): Event => {
    const path = `/api/customers/${encodeURIComponent(customer)}`
    return body ? { path, body: { ...body, id: customer } } : { path }
  })

const several = { minLength: 5, maxLength: 9 }
const beginning = fc.tuple(
  ...['products', 'customers', 'discounts'].map((plural) =>
    fc.array(created(plural, valuesOf(`${plural}.create`, { id })), several),
  ),
  fc.array(created('prices', price), several),
)
const course = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: created('invoices', invoice) },
    { weight: 2, arbitrary: created('prices', price) },
    { weight: 1, arbitrary: created('customers', valuesOf('customers.create', { id })) },
    { weight: 2, arbitrary: changed(valuesOf('customers.update')) },
    { weight: 1, arbitrary: changed(fc.constant(undefined)) },
  ),
  { minLength: 5, maxLength: 25 },
)

/** The requests of a history in order. Some of them are refused. */
export const history: fc.Arbitrary<readonly Event[]> = fc
  .tuple(beginning, course)
  .map(([first, then]) => [...first.flat(), ...then])

/** Sends the requests of a history in order. */
export const play = async (client: Client, events: readonly Event[]): Promise<void> => {
  for (const { path, body } of events) {
    const { status } = /^\/api\/\w+$/.test(path)
      ? await client.post(path, body)
      : await client.put(path, body)
    if (![200, 404, 409, 422].includes(status)) throw new Error(`${path} responded with ${status}`)
  }
}
