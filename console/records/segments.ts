import { segmentOfCustomer } from '../../client/analytics/segments.ts'
import { byFrequency } from './by-frequency.ts'
import type { Customer } from './entities.ts'

/** A key with more different values than this is not for segments, but for ids or notes. */
const MAX_VALUES = 60
const MAX_KEYS = 40

/** A key of the customers' metadata, and its values, the most frequent first. */
export interface SegmentKey {
  readonly key: string
  readonly values: readonly string[]
}

/** Returns the keys of the customers' metadata by which customers can be grouped, the most frequent first. */
export const segmentKeysOf = (customers: readonly Customer[]): SegmentKey[] =>
  byFrequency(customers.flatMap(({ metadata }) => Object.keys(metadata ?? {})))
    .map((key) => ({
      key,
      values: byFrequency(customers.map((customer) => segmentOfCustomer(customer, key))),
    }))
    .filter(({ values }) => values.length <= MAX_VALUES)
    .slice(0, MAX_KEYS)
