import { byFrequency } from './by-frequency.ts'
import type { Customer } from './entities.ts'

/** The segment of a customer without a value. */
export const NO_SEGMENT = 'none'

/** A key with more different values than this is not for segments, but for ids or notes. */
const MAX_VALUES = 60
const MAX_KEYS = 40

/**
 * Returns the segment of a customer: the value of a key of the metadata, as text. It is "none" if the customer has no value or an
 * empty one.
 */
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
export const segmentKeysOf = (customers: readonly Customer[]): SegmentKey[] =>
  byFrequency(customers.flatMap(({ metadata }) => Object.keys(metadata ?? {})))
    .map((key) => ({ key, values: byFrequency(customers.map((customer) => segmentOf(customer, key))) }))
    .filter(({ values }) => values.length <= MAX_VALUES)
    .slice(0, MAX_KEYS)
