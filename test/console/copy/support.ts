import { type Database, openLocalCopy } from '../../../console/copy/local-copy.ts'
import type { Bookmark, Entity, Invoice, Plural } from '../../../console/records/entities.ts'
import { invoiceOf, lineOf, priceOf } from '../../client/analytics/invoices.ts'

/** What a browser keeps, in memory, with the same steps. */
export const databaseInMemory = () => {
  const lists: Record<Plural, Map<string, Entity>> = {
    customers: new Map(),
    invoices: new Map(),
    discounts: new Map(),
  }
  const bookmarks = new Map<Plural, Bookmark>()
  const database: Database = {
    async *all(plural) {
      yield [...lists[plural].values()]
    },
    bookmark: async (plural) => bookmarks.get(plural) ?? { since: 0, asOf: 0 },
    write: async (plural, items, after) => {
      for (const entity of items) lists[plural].set(entity.id, entity)
      if (after) bookmarks.set(plural, after)
    },
  }
  return { database, lists, bookmarks }
}

/** Opens a copy in memory, whose tab is alone. */
export const openInMemory = (database: Database = databaseInMemory().database) =>
  openLocalCopy({
    database,
    tabs: { postMessage: () => undefined, onmessage: null },
    changed: () => undefined,
  })

/** The 15th of June 2026, a Monday, at noon. */
export const NOW = Date.UTC(2026, 5, 15, 12) / 1000
const DAY = 86_400

/** An invoice of a month that began `days` ago. */
export const invoice = (
  id: string,
  { customer = 'ann', days = 0, total = 4900, currency = 'EUR' } = {},
): Invoice & { changed: number } => {
  const created = NOW - days * DAY
  const period = { period_start: created, period_end: created + 30 * DAY }
  const price = { ...priceOf('Pro')!, id: `price-${total}-${currency}`, price: Math.abs(total), currency }
  const of = { customer_id: customer, subscription_id: `sub-${customer}` }
  const line_items = [lineOf({ amount: total, ...period, price })]
  return {
    ...invoiceOf({ id, ...of, created, total, ...period, currency, line_items }),
    ...{ external_id: `own-${id}`, changed: created },
  }
}

/** Opens a complete copy of customers and invoices. */
export const filledCopy = async (
  customers: readonly object[],
  invoices: readonly object[],
  discounts: readonly object[] = [],
) => {
  const opened = await openInMemory()
  const at = Date.now()
  const after = { since: NOW, asOf: NOW }
  await opened.write('customers', { items: customers as Entity[], at }, after)
  await opened.write('invoices', { items: invoices as Entity[], at }, after)
  await opened.write('discounts', { items: discounts as Entity[], at }, after)
  return opened
}
