import type { InvoiceEmbeds, Invoice as Recorded } from '../../generated.ts'
import type { With } from '../../operations.ts'

/** The input of the figures. Amounts are in minor units, times in seconds since the epoch. */

/** An invoice as a list returns it with `include=line_items,price,discounts`. @example const idsOf = (invoice: Invoice) => invoice.discounts.map(({ id }) => id) */
export type Invoice = With<Recorded, InvoiceEmbeds, ['line_items', 'price', 'discounts']> & {
  /** When the service recorded it, as a list with `changed_since` returns it. */
  readonly changed?: number
}

/** A line item of such an invoice. @example const planOf = ({ price }: Line) => price?.product.name */
export type Line = Invoice['line_items'][number]

/** A calendar month, as the number of months since January 1970. @example const name = (month: Month) => monthName(month) */
export type Month = number

/** A plan: the product of a line's price. @example const label = ({ key, name }: Plan) => `${name ?? 'No plan'} (${key})` */
export interface Plan {
  /** The id of the product; empty for lines without a price. */
  readonly key: string
  /** The name of the product; null for lines without a price. */
  readonly name: string | null
}
