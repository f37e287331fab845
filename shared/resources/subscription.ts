import { about } from '../contract/about.ts'
import { defineList, defineRetrieve } from '../contract/endpoint.ts'
import { hidden, optional, type StoredValues } from '../contract/field.ts'
import { count, currency, oneOf, timestamp, unchanged } from '../contract/fields.ts'
import { parent, reference } from '../contract/identifiers.ts'
import { defineResource } from '../contract/resource.ts'
import { arraySchema } from '../contract/schema.ts'
import { referencedEntity } from '../includes/referenced-entity.ts'
import type { invoice } from './invoice.ts'
import { intervals } from './price.ts'

/** Where an invoice stands in its subscription: the end and start of its period, its creation, its id. */
type Rank = readonly (number | string)[]

/** A subscription, which is derived from the invoices that refer to it. */
export const subscription = defineResource({
  name: 'subscription',
  plural: 'subscriptions',
  prefix: 'sub',
  isMutable: true,
  about: about(
    'A recurring billing of a customer. It is derived from its invoices and follows the invoice whose period ends last, in whatever order they arrive.',
    'sub-1042-pro',
  ),
  fields: {
    customer_id: parent('customer', about('The customer who is billed.', 1042)),
    currency: currency(about('The currency of the amounts.', 'EUR')),
    interval: optional(
      oneOf(
        'Interval',
        intervals,
        about(
          'The unit of time, from the latest invoice that has a recurring line item; null if no invoice has one.',
          'month',
        ),
      ),
    ),
    interval_count: optional(
      count(about('The number of intervals between two payments, from the same line item.', 1)),
    ),
    current_period_start: timestamp(about('The start of the latest billed period.', '2026-02-01')),
    current_period_end: timestamp(about('The end of the latest billed period, exclusive.', '2026-03-01')),
    latest_invoice_id: reference('invoice', about('The invoice with the latest period.', '2026-0007')),
    created: timestamp(about('The time at which the earliest of its invoices was created.', '2026-02-01')),
    latest_created: hidden(
      timestamp(about('The time at which the latest invoice was created.', '2026-02-01')),
    ),
    interval_rank: hidden(
      unchanged<Rank>(
        arraySchema({ type: ['integer', 'string'] }, 4),
        about(
          'The rank of the invoice that determines the interval; empty if no invoice has a recurring line item.',
          [],
        ),
      ),
    ),
  },
})

const customer = referencedEntity('customer_id', about('The customer who is billed.'))
const latest_invoice = referencedEntity('latest_invoice_id', about('The invoice with the latest period.'))

/** The endpoints of subscriptions. */
export const subscriptions = {
  list: defineList(subscription, { include: { customer } }),
  retrieve: defineRetrieve(subscription, { include: { customer, latest_invoice } }),
}

type SubscriptionContent = StoredValues<typeof subscription.fields>

/** The fields of an invoice that determine its subscription. */
type BilledPeriod = Omit<StoredValues<typeof invoice.fields>, 'total' | 'subscription_id' | 'discounts'> & {
  readonly invoiceId: string
}

/** The subscription that an invoice alone starts. */
const startedBy = (invoice: BilledPeriod): SubscriptionContent => {
  const { invoiceId, customer_id, currency, created, period_start, period_end } = invoice
  const recurring = invoice.line_items.find(({ type }) => type === 'recurring')
  return {
    customer_id,
    currency,
    interval: recurring?.interval ?? null,
    interval_count: recurring?.interval_count ?? null,
    current_period_start: period_start,
    current_period_end: period_end,
    latest_invoice_id: invoiceId,
    created,
    latest_created: created,
    interval_rank: recurring ? [period_end, period_start, created, invoiceId] : [],
  }
}

const latestRank = (content: SubscriptionContent): Rank => [
  content.current_period_end,
  content.current_period_start,
  content.latest_created,
  content.latest_invoice_id,
]

/** The first part that differs decides. An empty rank is lower than all others. */
const isHigher = (rank: Rank, other: Rank): boolean => {
  const index = rank.findIndex((part, position) => part !== other[position])
  if (index === -1) return false
  const otherPart = other[index]
  return otherPart === undefined || rank[index]! > otherPart
}

/**
 * The subscription after another invoice, or undefined if the invoice changes nothing. The order in which
 * invoices arrive does not matter: the subscription follows the invoice with the highest rank, has the
 * interval of the highest-ranked invoice with a recurring line item, and the creation time of the earliest
 * invoice.
 */
export const subscriptionAfter = (
  current: SubscriptionContent | undefined,
  invoice: BilledPeriod,
): SubscriptionContent | undefined => {
  const started = startedBy(invoice)
  if (!current) return started
  const latest = isHigher(latestRank(started), latestRank(current)) ? started : current
  const intervalSource = isHigher(started.interval_rank, current.interval_rank) ? started : current
  const created = Math.min(started.created, current.created)
  if (latest === current && intervalSource === current && created === current.created) return undefined
  const { interval, interval_count, interval_rank } = intervalSource
  return { ...latest, interval, interval_count, interval_rank, created }
}
