import type { Entity } from '../console/records/entities.ts'

/** A business as pages of a list of its invoices, for measuring the figures. */

const DAY = 86_400
const PAGE = 100
const SEATS = 3
/** The number of months with invoices, from January 2016 on. */
const MONTHS = 125
/** The maximum number of months for which a customer pays. */
const MAX_MONTHS = 24
/** The probability that a customer changes the plan within a month. */
const CHANGE_PROBABILITY = 0.06

const plans = ['Basic', 'Pro', 'Scale', 'Team', 'Max'].map((name, index) => ({
  id: `price_${name}`,
  currency: 'EUR',
  price: 1900 + 3000 * index,
  tiered: false,
  type: 'recurring',
  interval: 'month',
  interval_count: 1,
  product: { id: `prod_${name}`, name },
}))

/** Returns a function that returns numbers from 0 to below 1, the same numbers in every run. */
const createRandom = (): (() => number) => {
  let state = 1
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** Returns the start of a month, counted from January 2016, in seconds since the epoch. */
const startOf = (month: number): number => Date.UTC(2016, month) / 1000

/** Returns pages of invoices: customers who pay monthly from any second of a month on, and sometimes change their plan within it. */
export function* pagesOfInvoices(count: number): Generator<Entity[]> {
  const random = createRandom()
  const upTo = (limit: number): number => Math.floor(random() * limit)
  let page: Entity[] = []
  let made = 0
  const invoice = (
    customer: number,
    created: number,
    [start, end]: [number, number],
    lines: object[],
  ): void => {
    made += 1
    page.push({
      id: `inv_${String(made).padStart(20, '0')}`,
      external_id: `own-${made}`,
      customer_id: `cus_${String(customer).padStart(20, '0')}`,
      subscription_id: `sub_${String(customer).padStart(20, '0')}`,
      created,
      changed: created,
      period_start: start,
      period_end: end,
      currency: 'EUR',
      total: lines.reduce((sum, line) => sum + (line as { amount: number }).amount, 0),
      discounts: [],
      line_items: lines,
    })
  }
  for (let customer = 0; made < count; customer += 1) {
    const first = upTo(MONTHS - 1)
    const last = Math.min(MONTHS, first + 1 + upTo(MAX_MONTHS))
    const offset = upTo(28 * 24 * 60) * 60
    let plan = plans[upTo(plans.length)]!
    const quantity = 1 + upTo(SEATS)
    for (let month = first; month < last; month += 1) {
      const start = startOf(month) + offset
      const end = startOf(month + 1) + offset
      const line = { id: '1', quantity, discount_amount: 0, currency: null, period_end: end }
      const recurring = { type: 'recurring', interval: 'month', interval_count: 1, period_start: start }
      const amount = plan.price * quantity
      const tax_amount = Math.round((amount * 19) / 119)
      invoice(customer, start, [start, end], [{ ...line, ...recurring, amount, tax_amount, price: plan }])
      if (random() < CHANGE_PROBABILITY) {
        const changed = start + upTo((end - start) / DAY) * DAY
        const next = plans[upTo(plans.length)]!
        const share = (price: number) => Math.round((price * quantity * (end - changed)) / (end - start))
        const proration = {
          type: 'one_time',
          interval: null,
          interval_count: null,
          period_start: changed,
          tax_amount: 0,
        }
        const credit = { ...line, ...proration, amount: -share(plan.price), price: plan }
        const charge = { ...line, ...proration, id: '2', amount: share(next.price), price: next }
        invoice(customer, changed, [start, end], [credit, charge])
        plan = next
      }
      if (page.length >= PAGE) {
        // A copy, as from JSON that a browser reads: no two pages share an object.
        yield JSON.parse(JSON.stringify(page))
        page = []
      }
    }
  }
  yield JSON.parse(JSON.stringify(page))
}
