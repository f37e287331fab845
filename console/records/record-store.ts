import {
  type CopiedList,
  type Customer,
  copiedLists,
  type Discount,
  type Invoice,
  type RecordedEntity,
  type Subscription,
} from './entities.ts'
import { createSharedValues } from './shared-values.ts'

/** A page of a list, and when it was requested, in milliseconds. */
export interface FetchedPage {
  readonly items: readonly RecordedEntity[]
  readonly requestedAt: number
}

export const createRecordStore = () => {
  const lists: Readonly<Record<CopiedList, Map<string, RecordedEntity>>> = {
    customers: new Map(),
    invoices: new Map(),
    discounts: new Map(),
    products: new Map(),
    prices: new Map(),
    subscriptions: new Map(),
  }
  const shared = createSharedValues(lists)
  /** When each entity was last saved or read alone, in milliseconds. */
  const saveTimes = new Map<string, number>()
  let version = 0
  const store = (list: CopiedList, entity: RecordedEntity): RecordedEntity => {
    const isInvoice = list === 'invoices' && entity.line_items !== undefined
    const stored = isInvoice
      ? (shared.shareWith(entity as unknown as Invoice) as unknown as RecordedEntity)
      : entity
    lists[list].set(entity.id, stored)
    if (list === 'products' || list === 'discounts') shared.rename(list, entity.id, entity.name as string)
    if (list === 'prices') shared.retitle(entity.id, entity.title as string | null)
    return stored
  }
  const merge = (list: CopiedList, { items, requestedAt }: FetchedPage): RecordedEntity[] => {
    version += 1
    return items.flatMap((item) => {
      const isStale = (saveTimes.get(item.id) ?? 0) > requestedAt
      if (isStale) return []
      const stored = lists[list].get(item.id)
      const first = stored?.first ?? stored?.changed
      // Merged, because a plain page does not contain `changed`, and a save does not return embedded entities.
      return [store(list, { ...stored, ...item, ...(first !== undefined && { first }) })]
    })
  }
  return {
    /** The number of changes so far. Anything computed from the lists stays valid while this number is the same. */
    version: () => version,
    /** Loads entities from the database, except those that another tab has saved since the read began. */
    load: (list: CopiedList, items: readonly RecordedEntity[]) => {
      version += 1
      for (const entity of items) if (!saveTimes.has(entity.id)) store(list, entity)
    },
    /**
     * Stores a page of a list, except entities saved after the page was requested. Returns the entities to write to the
     * database.
     */
    merge,
    /**
     * Pages that were requested before `at`, in milliseconds, do not replace it. Returns the entity to write to the database;
     * undefined if a later save has already stored a newer one.
     */
    save: (list: CopiedList, entity: RecordedEntity, at: number): RecordedEntity | undefined => {
      const [merged] = merge(list, { items: [entity], requestedAt: at })
      if (merged) saveTimes.set(entity.id, at)
      return merged
    },
    /** Whether change feeds have returned every entity of a page, first with a `changed` before `until` (in seconds). */
    hasReadChanges: (list: CopiedList, items: readonly RecordedEntity[], until: number): boolean =>
      items.every(({ id }) => {
        const { first, changed } = lists[list].get(id) ?? {}
        return (first ?? changed ?? Number.POSITIVE_INFINITY) < until
      }),
    sizes: () => ({ customers: lists.customers.size, invoices: lists.invoices.size }),
    customers: () => [...lists.customers.values()] as unknown as Customer[],
    invoices: () => [...lists.invoices.values()] as unknown as Invoice[],
    customer: (id: string) => lists.customers.get(id) as Customer | undefined,
    invoice: (id: string) => lists.invoices.get(id) as Invoice | undefined,
    subscription: (id: string) => lists.subscriptions.get(id) as Subscription | undefined,
    search: (
      test: (entity: RecordedEntity) => boolean,
    ): { readonly list: CopiedList; readonly entity: RecordedEntity }[] =>
      copiedLists.flatMap((list) =>
        [...lists[list].values()].filter(test).map((entity) => ({ list, entity })),
      ),
    entities: (list: CopiedList): RecordedEntity[] => [...lists[list].values()],
    discount: (id: string) => lists.discounts.get(id) as Discount | undefined,
  }
}

export type RecordStore = ReturnType<typeof createRecordStore>
