import type { Customer, Discount, Entity, Invoice, Plural } from './entities.ts'

/** A page of a list, and when it was asked for, in milliseconds. */
export interface FetchedPage {
  readonly items: readonly Entity[]
  readonly at: number
}

type Price = NonNullable<Invoice['line_items'][number]['price']>
type EmbeddedDiscount = Invoice['discounts'][number]

/** An object whose name is replaced when the list of its resource returns another one. */
type Renamable<Embedded> = Omit<Embedded, 'name'> & { name: string }

/**
 * What the invoices of the copy share. Most of an invoice is what others have too, and a browser has little memory. Invoices never
 * change and are not read again, so a new name of a product or a discount is set here, for all of them.
 */
interface Shared {
  readonly prices: Map<string, Price>
  readonly products: Map<string, Renamable<Price['product']>>
  readonly discounts: Map<string, Renamable<EmbeddedDiscount>>
  /** The ids of customers and subscriptions. */
  readonly ids: Map<string, string>
}

type Lists = Readonly<Record<Plural, Map<string, Entity>>>

/** Returns what is shared under an id, and stores `value` under it if nothing is. */
const sharedUnder = <Value>(shared: Map<string, Value>, id: string, value: () => Value): Value => {
  if (!shared.has(id)) shared.set(id, value())
  return shared.get(id)!
}

/** Returns an embedded product or discount with the name that the list of its resource has, if it has one. */
const withNameOf = <Embedded extends { id: string; name: string }>(
  embedded: Embedded,
  list: ReadonlyMap<string, Entity>,
): Embedded => ({ ...embedded, name: (list.get(embedded.id)?.name as string | undefined) ?? embedded.name })

/** Returns an invoice with the prices, discounts and ids that other invoices have too. */
const sharingInvoice = (invoice: Invoice, shared: Shared, lists: Lists): Invoice => {
  const { line_items, discounts, customer_id, subscription_id } = invoice
  const sharedPrice = (price: Price): Price =>
    sharedUnder(shared.prices, price.id, () => {
      const product = sharedUnder(shared.products, price.product.id, () =>
        withNameOf(price.product, lists.products),
      )
      return { ...price, product }
    })
  return {
    ...invoice,
    customer_id: sharedUnder(shared.ids, customer_id, () => customer_id),
    subscription_id: sharedUnder(shared.ids, subscription_id, () => subscription_id),
    line_items: line_items.map((line) => (line.price ? { ...line, price: sharedPrice(line.price) } : line)),
    discounts: discounts.map((discount) =>
      sharedUnder(shared.discounts, discount.id, () => withNameOf(discount, lists.discounts)),
    ),
  }
}

/** Opens the copied lists of an application in memory, which start empty. */
export const createRecordStore = () => {
  const lists: Lists = {
    customers: new Map(),
    invoices: new Map(),
    discounts: new Map(),
    products: new Map(),
  }
  const shared: Shared = { prices: new Map(), products: new Map(), discounts: new Map(), ids: new Map() }
  const saves = new Map<string, number>()
  let version = 0
  /** Stores an entity, and returns it as it is stored. */
  const set = (plural: Plural, entity: Entity): Entity => {
    const isInvoice = plural === 'invoices' && entity.line_items !== undefined
    const stored = isInvoice
      ? (sharingInvoice(entity as unknown as Invoice, shared, lists) as unknown as Entity)
      : entity
    lists[plural].set(entity.id, stored)
    if (plural === 'products' || plural === 'discounts') {
      const embedded = shared[plural].get(entity.id)
      if (embedded) embedded.name = entity.name as string
    }
    return stored
  }
  const take = (plural: Plural, { items, at }: FetchedPage): Entity[] => {
    version += 1
    return items.flatMap((item) => {
      if ((saves.get(item.id) ?? 0) > at) return []
      const before = lists[plural].get(item.id)
      const first = before?.first ?? before?.changed
      // A plain page does not say when an entity changed, and a save returns no embedded ones.
      return [set(plural, { ...before, ...item, ...(first !== undefined && { first }) })]
    })
  }
  return {
    /** The number of changes so far. Anything computed from the lists stays valid while this number is the same. */
    version: () => version,
    /** Loads entities from the database, except those that another tab has saved since the read began. */
    load: (plural: Plural, items: readonly Entity[]) => {
      version += 1
      for (const entity of items) if (!saves.has(entity.id)) set(plural, entity)
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
