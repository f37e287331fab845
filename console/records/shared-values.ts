import type { Invoice, RecordedEntity } from './entities.ts'

/**
 * Invoices mostly repeat the same prices, discounts and ids, and a browser has little memory, so each is in memory once.
 * Invoices never change and are not read again, so a new name is set in its shared value.
 */

type Price = NonNullable<Invoice['line_items'][number]['price']>
type EmbeddedDiscount = Invoice['discounts'][number]

/** An embedded entity whose name is replaced when the list of its resource returns another name. */
type Renamable<Embedded> = Omit<Embedded, 'name'> & { name: string }

/** An embedded price whose title is replaced when the list of prices returns another title. */
type Retitlable = Omit<Price, 'title'> & { title: string | null }

interface SharedValues {
  readonly prices: Map<string, Retitlable>
  readonly products: Map<string, Renamable<Price['product']>>
  readonly discounts: Map<string, Renamable<EmbeddedDiscount>>
  /** The ids of customers and subscriptions. */
  readonly ids: Map<string, string>
}

interface NamedLists {
  readonly products: ReadonlyMap<string, RecordedEntity>
  readonly discounts: ReadonlyMap<string, RecordedEntity>
  readonly prices: ReadonlyMap<string, RecordedEntity>
}

const sharedValue = <Value>(values: Map<string, Value>, id: string, create: () => Value): Value => {
  if (!values.has(id)) values.set(id, create())
  return values.get(id)!
}

/** Returns an embedded product or discount with its current name, if the list of its resource contains it. */
const withCurrentName = <Embedded extends { id: string; name: string }>(
  embedded: Embedded,
  list: ReadonlyMap<string, RecordedEntity>,
): Embedded => ({ ...embedded, name: (list.get(embedded.id)?.name as string | undefined) ?? embedded.name })

/** Creates the shared values of the invoices of a copy. The lists are read when a value is shared first. */
export const createSharedValues = (lists: NamedLists) => {
  const shared: SharedValues = {
    prices: new Map(),
    products: new Map(),
    discounts: new Map(),
    ids: new Map(),
  }
  const sharedId = (id: string): string => sharedValue(shared.ids, id, () => id)
  const sharedPrice = (price: Price): Price =>
    sharedValue(shared.prices, price.id, () => ({
      ...price,
      title: (lists.prices.get(price.id) ?? price).title as string | null,
      product: sharedValue(shared.products, price.product.id, () =>
        withCurrentName(price.product, lists.products),
      ),
    }))
  const sharedDiscount = (discount: EmbeddedDiscount): EmbeddedDiscount =>
    sharedValue(shared.discounts, discount.id, () => withCurrentName(discount, lists.discounts))
  return {
    shareWith: (invoice: Invoice): Invoice => ({
      ...invoice,
      customer_id: sharedId(invoice.customer_id),
      subscription_id: sharedId(invoice.subscription_id),
      line_items: invoice.line_items.map((line) =>
        line.price ? { ...line, price: sharedPrice(line.price) } : line,
      ),
      discounts: invoice.discounts.map(sharedDiscount),
    }),
    rename: (list: 'products' | 'discounts', id: string, name: string): void => {
      const embedded = shared[list].get(id)
      if (embedded) embedded.name = name
    },
    retitle: (id: string, title: string | null): void => {
      const embedded = shared.prices.get(id)
      if (embedded) embedded.title = title
    },
  }
}
