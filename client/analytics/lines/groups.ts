/** Returns the items in groups that have the same key. The groups are in the order of their first items. */
export const groupsOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] => [
  ...Map.groupBy(items, keyOf).values(),
]

export const sumOf = <Item>(items: readonly Item[], amountOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0)

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

interface InCurrency {
  readonly currency: string
}

/** Returns pairs of a currency and its items, in the order of the currencies' codes. */
export const byCurrency = <Item extends InCurrency>(items: readonly Item[]) =>
  [...Map.groupBy(items, ({ currency }) => currency)].sort(([a], [b]) => compareTexts(a, b))

/** Returns the items of each currency; the items themselves if they have one currency, as nearly all customers have. */
export const splitByCurrency = <Item extends InCurrency>(items: readonly Item[]): (readonly Item[])[] => {
  const [first] = items
  if (items.every(({ currency }) => currency === first?.currency)) return [items]
  return groupsOf(items, ({ currency }) => currency)
}

/** Sums by currency. They are added up one by one, since a list of all lines would be longer than that of the invoices. */
export class SumsByCurrency<Sums> {
  readonly #currencies = new Map<string, Sums>()
  readonly #create: () => Sums

  constructor(create: () => Sums) {
    this.#create = create
  }

  /** Returns the sums of a currency, which are created if they are its first. */
  of(currency: string): Sums {
    const sums = this.#currencies.get(currency) ?? this.#create()
    this.#currencies.set(currency, sums)
    return sums
  }

  /** Returns a result of each currency, in the order of their codes. */
  map<Result>(resultOf: (currency: string, sums: Sums) => Result): Result[] {
    return [...this.#currencies]
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([currency, sums]) => resultOf(currency, sums))
  }
}
