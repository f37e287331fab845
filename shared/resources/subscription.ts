import { list } from '../contract/endpoint.ts'
import { count, currency, interval, nullable, seconds, serverId } from '../contract/fields.ts'
import { type Content, resource } from '../contract/resource.ts'
import { customer } from './customer.ts'
import type { LineItem } from './line-item.ts'

/** A subscription, which is derived from the invoices that name it (decisions, "Subscriptions"). */
export const subscription = resource({
  name: 'subscription',
  plural: 'subscriptions',
  prefix: 'sub',
  fields: {
    customer_id: serverId(customer.prefix),
    currency,
    interval: nullable(interval),
    interval_count: nullable(count),
    current_period_start: seconds,
    current_period_end: seconds,
    latest_invoice_id: serverId('inv'),
    created: seconds,
  },
  kept: { latest_created: seconds },
})

/** §4 Subscriptions. */
export const subscriptions = { list: list(subscription) }

/** What an invoice says about its subscription. */
export interface BilledPeriod {
  readonly invoiceId: string
  readonly customer_id: string
  readonly currency: string
  readonly created: number
  readonly period_start: number
  readonly period_end: number
  readonly line_items: readonly LineItem[]
}

type State = Content<typeof subscription>

/** The subscription as it stands when `invoice` is the only one that names it. */
const startedBy = (invoice: BilledPeriod): State => {
  const recurring = invoice.line_items.find(({ type }) => type === 'recurring')
  return {
    fields: {
      customer_id: invoice.customer_id,
      currency: invoice.currency,
      interval: recurring?.interval ?? null,
      interval_count: recurring?.interval_count ?? null,
      current_period_start: invoice.period_start,
      current_period_end: invoice.period_end,
      latest_invoice_id: invoice.invoiceId,
      created: invoice.created,
    },
    kept: { latest_created: invoice.created },
  }
}

const isLater = (a: State, b: State): boolean => {
  const rank = ({ fields, kept }: State) =>
    [
      fields.current_period_end,
      fields.current_period_start,
      kept.latest_created,
      fields.latest_invoice_id,
    ] as const
  const [x, y] = [rank(a), rank(b)]
  const first = x.findIndex((part, index) => part !== y[index])
  return first !== -1 && (x[first] as number) > (y[first] as number)
}

/**
 * The subscription after `invoice`: it follows the invoice with the greatest period end, then period start, then
 * creation, then id, and was created with the earliest, whatever the order of arrival. Undefined when nothing changes.
 */
export const subscriptionAfter = (current: State | undefined, invoice: BilledPeriod): State | undefined => {
  const own = startedBy(invoice)
  if (!current) return own
  const later = isLater(own, current)
  const earlier = own.fields.created < current.fields.created
  if (!later && !earlier) return undefined
  const followed = later ? own : current
  return {
    fields: { ...followed.fields, created: Math.min(own.fields.created, current.fields.created) },
    kept: followed.kept,
  }
}
