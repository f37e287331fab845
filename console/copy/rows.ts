import type { SubscriptionStatus } from '../../client/analytics/index.ts'
import { day } from '../text/format.ts'
import type { Row } from './columns.ts'
import type { Invoice } from './entities.ts'
import type { Snapshot } from './snapshot.ts'
import { billedWords, discountOf } from './words.ts'

/** Returns an invoice as a row. */
export const invoiceRow = (snapshot: Snapshot, invoice: Invoice): Row => ({
  path: ['invoices', invoice.id],
  customer: invoice.customer_id,
  currency: invoice.currency,
  cells: {
    created: invoice.created,
    customer: snapshot.labelOf(invoice.customer_id),
    what: billedWords(invoice),
    start: invoice.period_start,
    end: invoice.period_end,
    discount: discountOf(invoice),
    total: invoice.total,
    external_id: invoice.external_id ?? null,
    id: invoice.id,
  },
})

const stateOf = ({ active, until }: SubscriptionStatus, now: number): string => {
  if (!active) return until === undefined ? 'Never paid' : `Ended ${day(until)}`
  return until !== undefined && until > now ? `Active until ${day(until)}` : 'Active, not yet renewed'
}

/** Returns the current plans of a subscription, or its last ones if it has ended, in words and with their monthly values. */
const plansOf = (snapshot: Snapshot, { subscription_id, holds }: SubscriptionStatus) => {
  const sold = snapshot.sold().get(subscription_id)
  if (holds.length > 0)
    return holds.map(({ key, name, currency, monthly }) => {
      const words = sold?.get(`${key} ${currency}`)?.words() ?? name
      return { currency, words, monthly }
    })
  const all = [...(sold?.values() ?? [])]
  const latest = all.reduce((greatest, { start }) => Math.max(greatest, start), 0)
  return all
    .filter(({ start }) => start === latest)
    .map(({ currency, words }) => ({ currency, words: words(), monthly: 0 }))
}

/** Returns a subscription as rows, one for each currency of its plans. */
export const subscriptionRows = (snapshot: Snapshot, subscription: SubscriptionStatus): Row[] => {
  const { subscription_id, customer_id, since = null, until = null } = subscription
  const groups = [...Map.groupBy(plansOf(snapshot, subscription), ({ currency }) => currency)]
  const rowOf = (currency: string, plan: string, monthly: number): Row => ({
    path: ['subscriptions', subscription_id],
    customer: customer_id,
    currency,
    cells: {
      customer: snapshot.labelOf(customer_id),
      ...{ plan, monthly, since, until },
      state: stateOf(subscription, snapshot.now),
      id: subscription_id,
    },
  })
  if (groups.length === 0) return [rowOf('', 'No plan named', 0)]
  return groups.map(([currency, of]) =>
    rowOf(
      currency,
      of.map(({ words }) => words).join(' + '),
      of.reduce((sum, { monthly }) => sum + monthly, 0),
    ),
  )
}

/** What a customer is worth in a currency. */
interface Worth {
  readonly currency: string
  readonly monthly: number
  readonly invoiced: number
}

/**
 * Returns what customers are worth, by their id: in a currency, or else, as nothing is to be read as nothing paid, in the first of
 * those that they were invoiced in.
 */
const worthIn = (snapshot: Snapshot, currency: string): ReadonlyMap<string, Worth> => {
  const { invoicedByCustomer, subscriptionsNow } = snapshot.figures()
  const worth = new Map<string, { currency: string; monthly: number; invoiced: number }>()
  const first = invoicedByCustomer.filter((each) => each.currency === currency)
  for (const { currency: own, rows } of [...first, ...invoicedByCustomer])
    for (const { key, amount } of rows)
      if (!worth.has(key)) worth.set(key, { currency: own!, monthly: 0, invoiced: amount })
  for (const { customer_id, holds } of subscriptionsNow)
    for (const held of holds) {
      const of = worth.get(customer_id)
      if (of?.currency === held.currency) of.monthly += held.monthly
    }
  return worth
}

/** Returns how many active subscriptions customers have, by their id. */
const activeOf = (snapshot: Snapshot): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { customer_id, active } of snapshot.figures().subscriptionsNow)
    if (active) counts.set(customer_id, (counts.get(customer_id) ?? 0) + 1)
  return counts
}

const firstInvoice = (invoices: readonly Invoice[] | undefined): number | null =>
  invoices ? invoices.reduce((least, { created }) => Math.min(least, created), invoices[0]!.created) : null

/** Returns the customers as rows, with what they are worth in a currency, or in their own if they pay in others only. */
export const customerRows = (snapshot: Snapshot, currency: string): Row[] => {
  const worth = worthIn(snapshot, currency)
  const active = activeOf(snapshot)
  return snapshot.customers.map(({ id, email, external_id = null }) => {
    const { currency: own = currency, monthly = 0, invoiced = 0 } = worth.get(id) ?? {}
    return {
      path: ['customers', id],
      customer: id,
      currency: own,
      cells: {
        name: snapshot.labelOf(id),
        ...{ email, external_id, id, monthly, invoiced },
        since: firstInvoice(snapshot.invoicesOf().get(id)),
        active: active.get(id) ?? 0,
      },
    }
  })
}
