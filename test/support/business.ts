import fc from 'fast-check'
import type { Client } from './service.ts'
import {
  amounts,
  amountsFromZero,
  counts,
  currencies,
  dates,
  lineIds,
  metadata,
  months,
  percents,
} from './values.ts'

/** Random histories of an application: creates, updates and erasures, with values at the limits of the rules. */

type Body = Readonly<Record<string, unknown>>

/** A request of a history. References are client ids. */
interface Event {
  readonly path: string
  /** Absent for an erasure. */
  readonly body?: Body
}

const one = fc.constantFrom
const maybe = (...values: readonly unknown[]) => one(...values, null, undefined)
const ids = ['a', 'b', '42', 43, 'a/b c?ü%2F#&=+', '__proto__', 'cus_NffrFeUfNV2Hib', '😀'.repeat(255)]
const id = one(...ids)
const text = maybe('', 'Ann', 'two\nlines', '\u0000\u2028"\\', '😀'.repeat(100))
const currency = one(...currencies.right)
const rim = [
  '0000-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  '1969-12-31 23:59:59',
  '2016-12-31T23:59:60Z',
]
const periods = one(
  ['2024-01-31', '2024-01-31 00:00:00'],
  ['2024-02-29T12:00:00.9+02:00', '2024-03-01'],
  [rim[0], rim[1]],
)

const product = fc.record({ id, name: one('', 'Pro', '😀'.repeat(255)) })
const price = fc
  .record({
    id,
    product_id: id,
    title: text,
    currency,
    price: one(...amountsFromZero.right),
    tiered: maybe(true, false),
  })
  .chain((said) =>
    one(
      { ...said, type: 'one_time' },
      { ...said, type: 'recurring', interval: 'month', interval_count: 12 },
      { ...said, type: 'one_time', interval: null },
    ),
  )
const person = {
  ...{ name: text, email: text, description: text, phone: text },
  created: maybe(...dates.right, ...rim),
  metadata: maybe(...metadata.right),
}
const customer = fc.record({ id, ...person })
const discount = fc.record({ id, name: one('', 'Half'), currency }).chain((said) =>
  one(
    { ...said, duration: 'once', percent_off: percents.right[0] },
    {
      ...said,
      duration: 'repeating',
      duration_in_months: months.right[3],
      amount_off: amountsFromZero.right[2],
    },
    { ...said, duration: 'forever', amount_off: 0, percent_off: null },
  ),
)
const line = fc
  .record({
    id: maybe(...lineIds.right),
    amount: maybe(...amounts.right),
    currency: maybe(...currencies.right),
    quantity: maybe(...amounts.right),
    tax_amount: maybe(...amounts.right),
    interval: maybe('day', 'year'),
    interval_count: maybe(...counts.right),
    type: maybe('recurring', 'one_time'),
    period: maybe(['2024-01-01', '2024-02-01'], ['2024-01-01', null], [undefined, rim[1]]) as fc.Arbitrary<
      [unknown, unknown] | null
    >,
  })
  .map(({ period, ...said }) => ({
    ...said,
    ...(period ? { period_start: period[0], period_end: period[1] } : {}),
  }))
const invoice = fc
  .record({
    ...{
      id: one(...ids, 1, 2, 3, 4, 5, 6, 7, 8),
      total: one(...amounts.right),
      created: one(...dates.right, ...rim),
    },
    ...{ period: periods, currency, customer_id: id },
    discounts: fc.option(fc.array(id, { maxLength: 3 })),
    line_items: fc.option(fc.array(line, { maxLength: 3 })),
  })
  // Each customer has subscriptions of its own, so that few invoices are refused.
  .map(({ period, ...said }) => ({
    ...{ ...said, period_start: period[0], period_end: period[1] },
    subscription_id: `of ${said.customer_id}`,
  }))

const created = (plural: string, bodies: fc.Arbitrary<Body>) =>
  bodies.map((body): Event => ({ path: `/api/${plural}`, body }))
const changed = (change: fc.Arbitrary<Body | undefined>) =>
  fc.tuple(id, change).map(([customer, body]): Event => {
    const path = `/api/customers/${encodeURIComponent(customer)}`
    return body ? { path, body: { id: customer, ...body } } : { path }
  })

const beginning = fc.tuple(
  ...[created('products', product), created('customers', customer), created('discounts', discount)].map(
    (events) => fc.array(events, { minLength: 5, maxLength: 9 }),
  ),
)
const course = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: created('invoices', invoice) },
    { weight: 2, arbitrary: created('prices', price) },
    { weight: 1, arbitrary: created('customers', customer) },
    { weight: 2, arbitrary: changed(fc.record(person, { requiredKeys: [] })) },
    { weight: 1, arbitrary: changed(one(undefined)) },
  ),
  { minLength: 5, maxLength: 25 },
)

/** The requests of a history in order. Some of them are refused. */
export const history: fc.Arbitrary<readonly Event[]> = fc
  .tuple(beginning, course)
  .map(([first, then]) => [...first.flat(), ...then])

/** Sends the requests of a history in order. Returns how often each path was answered with 200. */
export const play = async (client: Client, events: readonly Event[]): Promise<void> => {
  for (const { path, body } of events) {
    const { status } = /^\/api\/\w+$/.test(path)
      ? await client.post(path, body)
      : await client.put(path, body)
    if (![200, 404, 409, 422].includes(status)) throw new Error(`${path} answered ${status}`)
  }
}
