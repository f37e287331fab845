import type { Page, Route } from '@playwright/test'
import { invoiceOf, lineOf, priceOf } from '../../client/analytics/invoices.ts'

/** Lists that are generated in place of the service's responses, since recording that many entities takes long. */

const MONTHS = 36
const DAY = 86_400
const now = Math.floor(Date.now() / 1000)
const recordedFrom = now - 30 * DAY
const plans = ['Basic', 'Pro', 'Scale'].map((name, index) => ({
  ...priceOf(name)!,
  ...{ currency: 'EUR', price: 1000 * (index + 1) },
}))

const customerAt = (index: number) => ({
  ...{ id: `cus_${index}`, external_id: `customer-${index}`, name: `Customer-${index}` },
  ...{ email: `customer-${index}@example.org`, metadata: {}, changed: recordedFrom + index },
})

/** Returns one of the invoices. Those of a customer are of consecutive months, and begin at different times. */
export const invoiceAt = (index: number, customers: number) => {
  const customer = index % customers
  const price = plans[customer % plans.length]!
  const ago = (customer + Math.floor(index / customers)) % MONTHS
  const start = now - ago * 30 * DAY
  const invoice = invoiceOf({
    ...{ id: `inv_${index}`, customer_id: `cus_${customer}`, subscription_id: `sub_${customer}` },
    ...{ created: start, period_start: start, period_end: start + 30 * DAY, total: price.price },
    line_items: [lineOf({ amount: price.price, period_start: null, period_end: null, price })],
  })
  return { ...invoice, external_id: `invoice-${index}`, changed: recordedFrom + index }
}

/** Responds with a page of a generated list, of changes or of the newest. */
const respond =
  (plural: string, count: number, entityAt: (index: number) => { changed: number }) => (route: Route) => {
    const query = new URL(route.request().url()).searchParams
    const since = Number(query.get('changed_since') ?? Number.NaN)
    const isWalk = !Number.isNaN(since)
    const first = Number(query.get('cursor') ?? Math.max(0, isWalk ? since - recordedFrom : 0))
    const last = Math.min(count, first + Number(query.get('limit')))
    const indexes = Array.from({ length: last - first }, (_, index) => first + index)
    const items = indexes.map((index) => {
      const { changed, ...entity } = entityAt(isWalk ? index : count - 1 - index)
      return isWalk ? { ...entity, changed } : entity
    })
    const next = last < count ? `${last}` : null
    const pagination = { has_more: next !== null, next_cursor: next, previous_cursor: null }
    return route.fulfill({ json: { data: { [plural]: items }, pagination } })
  }

/** The requests for pages of invoices. */
export const INVOICES = '**/api/invoices?*'

/** Serves a number of invoices and their customers to a page. */
export const serveInvoices = async (page: Page, count: number, customers: number): Promise<void> => {
  const invoice = (index: number) => invoiceAt(index, customers)
  await page.route(INVOICES, respond('invoices', count, invoice))
  await page.route('**/api/customers?*', respond('customers', customers, customerAt))
  await page.route('**/api/customers/*', (route) => {
    const index = Number(/\d+(?=\?|$)/.exec(route.request().url()))
    return route.fulfill({ json: { data: { customer: customerAt(index) } } })
  })
}
