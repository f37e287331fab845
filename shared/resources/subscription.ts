import { list } from '../contract/endpoint.ts'
import { count, currency, interval, nullable, seconds, serverId } from '../contract/fields.ts'
import { type Content, resource } from '../contract/resource.ts'
import { array } from '../contract/schema.ts'
import { customer } from './customer.ts'
import type { LineItem } from './line-item.ts'

const rankPart = { type: ['integer', 'string'] } as const

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
  kept: {
    latest_created: seconds,
    /** The rank of the invoice that gave the interval; empty while none has a recurring line. */
    interval_rank: array(rankPart, 4),
  },
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

/** An invoice's place among those of its subscription: period end, period start, creation, id. */
type Rank = readonly (number | string)[]

/** The subscription as it stands when `invoice` is the only one that names it. */
const startedBy = (invoice: BilledPeriod): State => {
  const { invoiceId, customer_id, currency, created, period_start, period_end } = invoice
  const recurring = invoice.line_items.find(({ type }) => type === 'recurring')
  return {
    fields: {
      customer_id,
      currency,
      interval: recurring?.interval ?? null,
      interval_count: recurring?.interval_count ?? null,
      current_period_start: period_start,
      current_period_end: period_end,
      latest_invoice_id: invoiceId,
      created,
    },
    kept: {
      latest_created: created,
      interval_rank: recurring ? [period_end, period_start, created, invoiceId] : [],
    },
  }
}

/** The rank of the invoice that a subscription follows. */
const rankOf = ({ fields, kept }: State): Rank => [
  fields.current_period_end,
  fields.current_period_start,
  kept.latest_created,
  fields.latest_invoice_id,
]

const isLater = (a: Rank, b: Rank): boolean => {
  const first = a.findIndex((part, index) => part !== b[index])
  return first !== -1 && (b[first] === undefined || (a[first] as number) > (b[first] as number))
}

/**
 * The subscription after `invoice`, whatever the order of arrival: it follows the invoice of the highest rank, has the
 * interval of the highest that has a recurring line, and was created with the earliest. Undefined when nothing changes.
 */
export const subscriptionAfter = (current: State | undefined, invoice: BilledPeriod): State | undefined => {
  const own = startedBy(invoice)
  if (!current) return own
  const latest = isLater(rankOf(own), rankOf(current)) ? own : current
  const giver = isLater(own.kept.interval_rank, current.kept.interval_rank) ? own : current
  const created = Math.min(own.fields.created, current.fields.created)
  if (latest === current && giver === current && created === current.fields.created) return undefined
  const { interval, interval_count } = giver.fields
  return {
    fields: { ...latest.fields, interval, interval_count, created },
    kept: { ...latest.kept, interval_rank: giver.kept.interval_rank },
  }
}
