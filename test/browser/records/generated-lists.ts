import type { Page, Route } from '@playwright/test'
import { invoiceOf, lineOf, priceOf } from '../../client/analytics/invoices.ts'
import { range } from '../../support/range.ts'

/** Lists that a test serves in place of the service's, because recording so many entities takes long. */

const MONTHS = 36
const DAY = 86_400
const now = Math.floor(Date.now() / 1000)
const recordedFrom = now - 30 * DAY
const prices = ['Basic', 'Pro', 'Scale'].map((name, index) =>
  priceOf(name, { currency: 'EUR', price: 1000 * (index + 1) }),
)

const customerAt = (index: number) => ({
  id: `cus_${index}`,
  external_id: `customer-${index}`,
  name: `Customer-${index}`,
  email: `customer-${index}@example.org`,
  metadata: {},
  changed: recordedFrom + index,
})

/** Returns an invoice by its index. The invoices of a customer are of consecutive months, and each customer starts in another month. */
export const invoiceAt = (index: number, customers: number) => {
  const customer = index % customers
  const price = prices[customer % prices.length]!
  const monthsAgo = (customer + Math.floor(index / customers)) % MONTHS
  const start = now - monthsAgo * 30 * DAY
  const invoice = invoiceOf({
    id: `inv_${index}`,
    customer_id: `cus_${customer}`,
    subscription_id: `sub_${customer}`,
    created: start,
    period_start: start,
    period_end: start + 30 * DAY,
    total: price.price,
    line_items: [lineOf({ amount: price.price, period_start: null, period_end: null, price })],
  })
  return { ...invoice, external_id: `invoice-${index}`, changed: recordedFrom + index }
}

/** Responds with a page of a generated list: of its changes, oldest first, or of its entities, newest first. */
const respond =
  (plural: string, count: number, entityAt: (index: number) => { changed: number }) => (route: Route) => {
    const query = new URL(route.request().url()).searchParams
    const changedSince = query.get('changed_since')
    const start = changedSince === null ? 0 : Math.max(0, Number(changedSince) - recordedFrom)
    const first = Number(query.get('cursor') ?? start)
    const end = Math.min(count, first + Number(query.get('limit')))
    const items = range(end - first).map((offset) => {
      const index = first + offset
      if (changedSince !== null) return entityAt(index)
      const { changed, ...entity } = entityAt(count - 1 - index)
      return entity
    })
    const next = end < count ? `${end}` : null
    const pagination = { has_more: next !== null, next_cursor: next, previous_cursor: null }
    return route.fulfill({ json: { data: { [plural]: items }, pagination } })
  }

/** The pattern of requests for pages of invoices. */
export const INVOICE_PAGES = '**/api/invoices?*'

/** Serves `count` invoices of `customers` customers to a page. */
export const serveInvoices = async (page: Page, count: number, customers: number): Promise<void> => {
  const invoiceOfIndex = (index: number) => invoiceAt(index, customers)
  await page.route(INVOICE_PAGES, respond('invoices', count, invoiceOfIndex))
  await page.route('**/api/customers?*', respond('customers', customers, customerAt))
  await page.route('**/api/customers/*', (route) => {
    const index = Number(/\d+(?=\?|$)/.exec(route.request().url()))
    return route.fulfill({ json: { data: { customer: customerAt(index) } } })
  })
}
