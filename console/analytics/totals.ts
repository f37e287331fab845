/** An amount of a currency that counts towards something. */
export interface Share<Key> {
  readonly currency: string
  readonly key: Key
  readonly amount: number
}

/** What amounts of one currency come to, by what they count towards. */
export interface Totals<Key> {
  readonly currency: string
  readonly byKey: ReadonlyMap<Key, number>
}

/** Adds up amounts for each currency alone, in the order of their codes. */
export const totalsOf = <Key>(shares: Iterable<Share<Key>>): Totals<Key>[] => {
  const sums = new Map<string, Map<Key, number>>()
  for (const { currency, key, amount } of shares) {
    const byKey = sums.get(currency) ?? new Map<Key, number>()
    byKey.set(key, (byKey.get(key) ?? 0) + amount)
    sums.set(currency, byKey)
  }
  return [...sums]
    .map(([currency, byKey]) => ({ currency, byKey }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}
