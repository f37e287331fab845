import { type CopyDatabase, openLocalCopy } from '../../../console/copy/local-copy.ts'
import type { Bookmark, CopiedList, Invoice, RecordedEntity } from '../../../console/records/entities.ts'
import { invoiceOf, lineOf, priceOf } from '../../client/analytics/invoices.ts'

/** Returns a database in memory with the functions of the one in a browser, which copies what it stores, and what it stores. */
export const databaseInMemory = () => {
  const lists: Record<CopiedList, Map<string, RecordedEntity>> = {
    customers: new Map(),
    invoices: new Map(),
    discounts: new Map(),
    products: new Map(),
    prices: new Map(),
    subscriptions: new Map(),
  }
  const bookmarks = new Map<CopiedList, Bookmark>()
  const database: CopyDatabase = {
    async *all(plural) {
      yield [...lists[plural].values()]
    },
    bookmark: async (plural) => bookmarks.get(plural) ?? { since: 0, asOf: 0 },
    write: async (plural, items, after) => {
      for (const entity of items) lists[plural].set(entity.id, structuredClone(entity))
      if (after) bookmarks.set(plural, after)
    },
  }
  return { database, lists, bookmarks }
}

/** Opens a copy in memory, in the only tab. */
export const openInMemory = (database: CopyDatabase = databaseInMemory().database) =>
  openLocalCopy({
    database,
    tabs: { postMessage: () => undefined, onmessage: null },
    onOtherTabSave: () => undefined,
  })

/** Monday 15 June 2026, at noon. */
export const NOW = Date.UTC(2026, 5, 15, 12) / 1000
export const DAY = 86_400

/** Returns an invoice with one line, for 30 days that began `days` ago. */
export const invoice = (
  id: string,
  { customer = 'ann', days = 0, total = 4900, currency = 'EUR' } = {},
): Invoice & { changed: number } => {
  const created = NOW - days * DAY
  const period = { period_start: created, period_end: created + 30 * DAY }
  const price = priceOf('Pro', { id: `price-${total}-${currency}`, price: Math.abs(total), currency })
  const fields = {
    id,
    customer_id: customer,
    subscription_id: `sub-${customer}`,
    created,
    total,
    ...period,
    currency,
    line_items: [lineOf({ amount: total, ...period, price })],
  }
  return { ...invoiceOf(fields), external_id: `own-${id}`, changed: created }
}

export const eur = (amount: number) => ({ amount, currency: 'EUR' })
export const jpy = (amount: number) => ({ amount, currency: 'JPY' })

/** Opens a copy in memory that has been read completely, and holds these customers and invoices, and the records of other lists. */
export const filledCopy = async (
  customers: readonly object[],
  invoices: readonly object[],
  others: { readonly [List in CopiedList]?: readonly object[] } = {},
) => {
  const copy = await openInMemory()
  const none = { discounts: [], products: [], prices: [], subscriptions: [] }
  for (const [plural, items] of Object.entries({ ...none, customers, invoices, ...others })) {
    const page = { items: items as RecordedEntity[], requestedAt: Date.now() }
    await copy.write(plural as CopiedList, page, { since: NOW, asOf: NOW })
  }
  return copy
}
