import type { Customer } from './entities.ts'

/** The value of a customer who has none. */
export const NO_SEGMENT = 'none'

/** More different values than this are no segments, but ids or notes. */
const MAX_VALUES = 60
const SHOWN_KEYS = 40

/** Returns a customer's value of a key of the metadata as text, as recorded; "none" without one. */
export const segmentOf = ({ metadata }: Partial<Customer>, key: string): string => {
  const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined
  if (value === undefined || value === null || value === '') return NO_SEGMENT
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A key of the customers' metadata, and its values, the most frequent first. */
export interface SegmentKey {
  readonly key: string
  readonly values: readonly string[]
}

/** Returns the keys of the customers' metadata by which customers can be grouped, the most frequent first. */
export const segmentKeysOf = (customers: readonly Customer[]): SegmentKey[] => {
  const counts = new Map<string, number>()
  for (const { metadata } of customers)
    for (const key of Object.keys(metadata ?? {})) counts.set(key, (counts.get(key) ?? 0) + 1)
  const keys = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([key]) => key)
  return keys
    .map((key) => ({ key, values: valuesOf(customers, key) }))
    .filter(({ values }) => values.length <= MAX_VALUES)
    .slice(0, SHOWN_KEYS)
}

const valuesOf = (customers: readonly Customer[], key: string): string[] => {
  const counts = new Map<string, number>()
  for (const customer of customers) {
    const value = segmentOf(customer, key)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([value]) => value)
}
