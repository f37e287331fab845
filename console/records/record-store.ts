import type { Customer, Discount, Entity, Invoice, Plural } from './entities.ts'

/** A page of a list, and when it was asked for, in milliseconds. */
export interface FetchedPage {
  readonly items: readonly Entity[]
  readonly at: number
}

type Price = Invoice['line_items'][number]['price']

/** What the invoices of the copy share: most of an invoice is what others have too, and a browser has little memory. */
interface Shared {
  /** The prices by id. A price never changes. */
  readonly prices: Map<string, Price>
  /** The ids of customers and subscriptions. */
  readonly ids: Map<string, string>
}

const sharedId = (id: string, ids: Map<string, string>): string => {
  const shared = ids.get(id) ?? id
  ids.set(shared, shared)
  return shared
}

/** Returns an invoice with the prices and ids that other invoices have too, or any other entity as it is. */
const withShared = (entity: Entity, { prices, ids }: Shared): Entity => {
  const { line_items: lines, customer_id, subscription_id } = entity as unknown as Invoice
  if (!lines) return entity
  const line_items = lines.map((line) => {
    if (!line.price) return line
    const { id } = line.price
    if (!prices.has(id)) prices.set(id, line.price)
    return { ...line, price: prices.get(id)! }
  })
  return {
    ...entity,
    customer_id: sharedId(customer_id, ids),
    subscription_id: sharedId(subscription_id, ids),
    line_items,
  }
}

/** Opens the customers and invoices of an application in memory, which starts empty. */
export const createRecordStore = () => {
  const lists: Readonly<Record<Plural, Map<string, Entity>>> = {
    customers: new Map(),
    invoices: new Map(),
    discounts: new Map(),
  }
  const shared: Shared = { prices: new Map(), ids: new Map() }
  const saves = new Map<string, number>()
  let version = 0
  const take = (plural: Plural, { items, at }: FetchedPage): Entity[] => {
    version += 1
    return items.flatMap((item) => {
      if ((saves.get(item.id) ?? 0) > at) return []
      const before = lists[plural].get(item.id)
      const first = before?.first ?? before?.changed
      // A plain page does not say when an entity changed, and a save returns no embedded ones.
      const entity = withShared({ ...before, ...item, ...(first !== undefined && { first }) }, shared)
      lists[plural].set(item.id, entity)
      return [entity]
    })
  }
  return {
    /** The number of changes so far. Anything computed from the lists stays valid while this number is the same. */
    version: () => version,
    /** Loads entities from the database, except those that another tab has saved since the read began. */
    load: (plural: Plural, items: readonly Entity[]) => {
      version += 1
      for (const entity of items)
        if (!saves.has(entity.id)) lists[plural].set(entity.id, withShared(entity, shared))
    },
    /** Stores a page of a list, except entities saved after the page was requested. Returns the entities to write to the database. */
    take,
    /**
     * Stores an entity that was saved, or read alone, at a time in milliseconds: pages requested earlier do not contain it.
     * Returns the entity to write to the database, if any.
     */
    save: (plural: Plural, entity: Entity, at: number): Entity | undefined => {
      const [whole] = take(plural, { items: [entity], at })
      if (whole) saves.set(entity.id, at)
      return whole
    },
    /** Whether change feeds have returned every entity of a page, each with a `changed` before `until` (in seconds) when it was first returned. */
    hasWalked: (plural: Plural, items: readonly Entity[], until: number): boolean =>
      items.every(({ id }) => {
        const { first, changed } = lists[plural].get(id) ?? {}
        return (first ?? changed ?? Number.POSITIVE_INFINITY) < until
      }),
    sizes: () => ({ customers: lists.customers.size, invoices: lists.invoices.size }),
    customer: (id: string) => lists.customers.get(id) as Customer | undefined,
    customers: () => [...lists.customers.values()] as unknown as Customer[],
    invoices: () => [...lists.invoices.values()] as unknown as Invoice[],
    invoice: (id: string) => lists.invoices.get(id) as Invoice | undefined,
    discount: (id: string) => lists.discounts.get(id) as Discount | undefined,
  }
}

export type RecordStore = ReturnType<typeof createRecordStore>
