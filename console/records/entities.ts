import type { Invoice as CountedInvoice } from '../../client/analytics/index.ts'

/** What the copy of an application's lists holds. */

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
  /** The user's own id, which is usually the code of a coupon. */
  readonly external_id?: string
}

/** An invoice, as a list with the includes below returns it. */
export type Invoice = CountedInvoice & { readonly external_id?: string }

/** An entity of a list. */
export interface Entity {
  readonly id: string
  /** The second of its last change. Present only if a walk of changes returned the entity. */
  readonly changed?: number
  /** `changed` as a walk first returned it. Present only if the entity has been received again since. */
  readonly first?: number
  readonly [field: string]: unknown
}

/** The lists that are copied, and what each embeds. */
export const copied = {
  customers: 'external_id',
  invoices: 'line_items,price,discounts,external_id',
  discounts: 'external_id',
  products: 'external_id',
} as const

export type Plural = keyof typeof copied
export const plurals = Object.keys(copied) as Plural[]

/** How far a list has been read. */
export interface Bookmark {
  /** The time of the latest change that has been read, in seconds: the next walk begins with it. */
  readonly since: number
  /** When the last completed reading began, in seconds; 0 if none has been completed. */
  readonly asOf: number
}
