import type { Dataset } from './dataset.ts'
import { compareTexts, groupsOf } from './lines/groups.ts'
import { customersByCurrency, movementsOfCustomers } from './movements.ts'
import type { SegmentMovements } from './types.ts'

/** A customer's metadata, as `customers.all()` returns it. @example const isGerman = ({ metadata }: Segmented) => metadata?.country === 'DE' */
export interface Segmented {
  readonly id: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Returns the segment of a customer, given the customer's id. @example const segmentOf: SegmentOf = segmentsBy(customers, 'country') */
export type SegmentOf = (customerId: string) => string

/** By what customers are divided. @example const by: BySegment = { segmentOf: (id) => (id === 'cus_1' ? 'first' : 'later') } */
export interface BySegment {
  readonly segmentOf: SegmentOf
}

/** The segment of a customer without a value. @example const isKnown = (segment: string) => segment !== NO_SEGMENT */
export const NO_SEGMENT = 'none'

/**
 * Returns the segment of a customer: the value of a key of the metadata, as text. It is "none" if the customer has no value or an
 * empty one.
 */
export const segmentOfCustomer = ({ metadata }: Pick<Segmented, 'metadata'>, key: string): string => {
  const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined
  if (value === undefined || value === null || value === '') return NO_SEGMENT
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Returns the function that figures by segment need: from a customer's id to the customer's value of a key of the metadata.
 * @example const movements = movementsBySegment(invoices, now, { segmentOf: segmentsBy(customers, 'country') })
 */
export const segmentsBy = (customers: Iterable<Segmented>, key: string): SegmentOf => {
  const segments = new Map<string, string>()
  for (const customer of customers) segments.set(customer.id, segmentOfCustomer(customer, key))
  return (id) => segments.get(id) ?? NO_SEGMENT
}

/** Returns the movements of each segment's recurring revenue in each month, for each currency: those of the whole, divided. */
export const segmentMovements = (dataset: Dataset, { segmentOf }: BySegment): SegmentMovements[] =>
  [...customersByCurrency(dataset)]
    .flatMap(([currency, customers]) =>
      groupsOf(customers, ([line]) => segmentOf(line!.invoice.customer_id)).map((group) => ({
        currency,
        segment: segmentOf(group[0]![0]!.invoice.customer_id),
        months: movementsOfCustomers(dataset, group),
      })),
    )
    .sort((a, b) => compareTexts(a.currency, b.currency) || compareTexts(a.segment, b.segment))
