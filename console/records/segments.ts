import { NO_SEGMENT, segmentOfCustomer } from '../../client/analytics/segments.ts'
import type { Customer } from './entities.ts'

/** A key with more different values than this is not for segments, but for ids or notes. */
const MAX_VALUES = 20
/** Up to so many values, a key is for segments although each customer may have another one. */
const FEW_VALUES = 5
const MAX_KEYS = 40

/** A key of the customers' metadata, and its values, the most frequent first. */
export interface SegmentKey {
  readonly key: string
  readonly values: readonly string[]
}

/** The distinct texts, the most frequent first, and texts of the same frequency in alphabetical order. */
export const byFrequency = (texts: Iterable<string>): string[] => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts]
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .map(([text]) => text)
}

export const metadataKeysOf = (customers: readonly Customer[]): string[] =>
  byFrequency(customers.flatMap(({ metadata }) => Object.keys(metadata ?? {}))).filter(
    (key) => key.trim() !== '',
  )

/** Whether a key with these values groups customers: few values, most of which several customers have. */
const isForSegments = (values: readonly string[]): boolean => {
  const distinct = new Set(values).size
  return distinct <= FEW_VALUES || (distinct <= MAX_VALUES && distinct * 2 <= values.length)
}

/** A VAT number is not such a key: it has many values, or each only once. */
export const segmentKeysOf = (customers: readonly Customer[]): SegmentKey[] => {
  const valuesByKey = new Map<string, string[]>()
  for (const customer of customers)
    for (const key of Object.keys(customer.metadata ?? {})) {
      const value = segmentOfCustomer(customer, key)
      const values = valuesByKey.get(key) ?? []
      valuesByKey.set(key, values)
      if (value !== NO_SEGMENT) values.push(value)
    }
  return metadataKeysOf(customers)
    .filter((key) => isForSegments(valuesByKey.get(key)!))
    .slice(0, MAX_KEYS)
    .map((key) => ({
      key,
      values: byFrequency(customers.map((customer) => segmentOfCustomer(customer, key))),
    }))
}
