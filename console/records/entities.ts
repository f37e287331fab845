import type { Invoice as AnalysedInvoice } from '../../client/analytics/index.ts'

/** The records of the copy, and how far it has been read. */

/** A customer, as a list with `include=external_id` returns it. */
export interface Customer {
  readonly id: string
  readonly external_id?: string
  readonly name: string | null
  readonly email: string | null
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A discount, as a list with `include=external_id` returns it. */
export interface Discount {
  readonly id: string
  readonly name?: string
  /** The user's own id, which is usually the code of a coupon. */
  readonly external_id?: string
}

/** A subscription, as a list with `include=external_id` returns it. */
export interface Subscription {
  readonly id: string
  readonly external_id?: string
}

export type Invoice = AnalysedInvoice & { readonly external_id?: string }

export interface RecordedEntity {
  readonly id: string
  /** The second of its last change. Present only if a change feed returned the entity. */
  readonly changed?: number
  /** `changed` as a change feed first returned it. Present only if the entity has been received again since. */
  readonly first?: number
  readonly [field: string]: unknown
}

export const copiedIncludes = {
  customers: 'external_id',
  invoices: 'line_items,price,discounts,external_id',
  discounts: 'external_id',
  products: 'external_id',
  prices: 'external_id',
  subscriptions: 'external_id',
} as const

export type CopiedList = keyof typeof copiedIncludes

export const copiedLists = Object.keys(copiedIncludes) as CopiedList[]

/** How far a list has been read. */
export interface Bookmark {
  /** The time of the latest change that has been read, in seconds. The next change feed begins with it. */
  readonly since: number
  /** When the last completed reading began, in seconds; 0 if none has been completed. */
  readonly asOf: number
}
