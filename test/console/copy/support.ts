import type { Product } from '../../../client/generated.ts'
import type { Bookmark, Entity, Invoice, Plural } from '../../../console/copy/entities.ts'
import { type Database, openLocalCopy } from '../../../console/copy/local-copy.ts'

/** What a browser keeps, in memory, with the same steps. */
export const databaseInMemory = () => {
  const lists = { customers: new Map<string, Entity>(), invoices: new Map<string, Entity>() }
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

const price = (amount: number, currency: string) => ({
  ...{ id: `price-${amount}-${currency}`, title: null, currency, price: amount, tiered: false },
  ...{ type: 'recurring', interval: 'month', interval_count: 1 },
  product: { id: 'pro', name: 'Pro' } as Product,
})

/** An invoice of a month that began `days` ago. */
export const invoice = (
  id: string,
  { customer = 'ann', days = 0, total = 4900, currency = 'EUR' }: Record<string, string | number> = {},
): Invoice & { changed: number } => {
  const created = NOW - Number(days) * DAY
  const period = { period_start: created, period_end: created + 30 * DAY }
  const line = {
    ...{ id: '1', amount: Number(total), currency: null, quantity: 1 },
    ...{ discount_amount: null, tax_amount: null, ...period },
    ...{ interval: 'month', interval_count: 1, type: 'recurring' },
    price: price(Math.abs(Number(total)), String(currency)),
  }
  return {
    ...{ id, external_id: `own-${id}`, changed: created, created, total: Number(total), ...period },
    ...{ currency: String(currency), customer_id: String(customer), subscription_id: `sub-${customer}` },
    ...{ discounts: [], line_items: [line] },
  }
}

/** Opens a complete copy of customers and invoices. */
export const filledCopy = async (customers: readonly object[], invoices: readonly object[]) => {
  const opened = await openInMemory()
  const at = Date.now()
  const after = { since: NOW, asOf: NOW }
  await opened.write('customers', { items: customers as Entity[], at }, after)
  await opened.write('invoices', { items: invoices as Entity[], at }, after)
  return opened
}
