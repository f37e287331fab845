import type { Entity } from '../console/records/entities.ts'

/** A business as pages of a list of its invoices, for measuring the figures. */

const DAY = 86_400
const PAGE = 100
const SEATS = 3
const MONTHS = 125
const MAX_MONTHS = 24
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

/** From 0 to below 1, the same numbers in every run. */
const createRandom = (): (() => number) => {
  let state = 1
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const startOf = (month: number): number => Date.UTC(2016, month) / 1000

interface Bill {
  readonly created: number
  readonly start: number
  readonly end: number
  readonly lines: readonly (Readonly<Record<string, unknown>> & { readonly amount: number })[]
}

/** They pay monthly from any second of a month on, and sometimes change the plan within it. */
function* billsOfCustomer(random: () => number): Generator<Bill> {
  const integerBelow = (limit: number): number => Math.floor(random() * limit)
  const firstMonth = integerBelow(MONTHS - 1)
  const endMonth = Math.min(MONTHS, firstMonth + 1 + integerBelow(MAX_MONTHS))
  const offset = integerBelow(28 * 24 * 60) * 60
  let plan = plans[integerBelow(plans.length)]!
  const quantity = 1 + integerBelow(SEATS)
  for (let month = firstMonth; month < endMonth; month += 1) {
    const start = startOf(month) + offset
    const end = startOf(month + 1) + offset
    const line = { id: '1', quantity, discount_amount: 0, currency: null, period_end: end }
    const recurring = { type: 'recurring', interval: 'month', interval_count: 1, period_start: start }
    const amount = plan.price * quantity
    const tax_amount = Math.round((amount * 19) / 119)
    yield { created: start, start, end, lines: [{ ...line, ...recurring, amount, tax_amount, price: plan }] }
    if (random() >= CHANGE_PROBABILITY) continue
    const changedAt = start + integerBelow((end - start) / DAY) * DAY
    const nextPlan = plans[integerBelow(plans.length)]!
    const share = (price: number) => Math.round((price * quantity * (end - changedAt)) / (end - start))
    const interval = { interval: null, interval_count: null }
    const proration = { ...line, type: 'one_time', ...interval, period_start: changedAt, tax_amount: 0 }
    const credit = { ...proration, amount: -share(plan.price), price: plan }
    const charge = { ...proration, id: '2', amount: share(nextPlan.price), price: nextPlan }
    yield { created: changedAt, start, end, lines: [credit, charge] }
    plan = nextPlan
  }
}

/** `number` counts the invoices of the business. */
const invoiceOf = ({ created, start, end, lines }: Bill, number: number, customer: number): Entity => ({
  id: `inv_${String(number).padStart(20, '0')}`,
  external_id: `own-${number}`,
  customer_id: `cus_${String(customer).padStart(20, '0')}`,
  subscription_id: `sub_${String(customer).padStart(20, '0')}`,
  created,
  changed: created,
  period_start: start,
  period_end: end,
  currency: 'EUR',
  total: lines.reduce((sum, { amount }) => sum + amount, 0),
  discounts: [],
  line_items: lines,
})

/** As from JSON that a browser reads: no two pages share an object. */
const copyOf = (page: readonly Entity[]): Entity[] => JSON.parse(JSON.stringify(page))

/** At least `count` invoices: a customer has all of theirs. */
export function* pagesOfInvoices(count: number): Generator<Entity[]> {
  const random = createRandom()
  let page: Entity[] = []
  let invoices = 0
  for (let customer = 0; invoices < count; customer += 1)
    for (const bill of billsOfCustomer(random)) {
      invoices += 1
      page.push(invoiceOf(bill, invoices, customer))
      if (page.length < PAGE) continue
      yield copyOf(page)
      page = []
    }
  yield copyOf(page)
}
