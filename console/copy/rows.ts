import type { SubscriptionStatus } from '../../client/analytics/index.ts'
import type { Amount } from '../text/csv.ts'
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
    discount: { amount: discountOf(invoice), currency: invoice.currency },
    total: { amount: invoice.total, currency: invoice.currency },
    external_id: invoice.external_id ?? null,
    id: invoice.id,
  },
})

/** Returns whether a subscription is of a kind that the list offers. One that begins later or is paused is of neither. */
export const isOfKind = ({ active, until }: SubscriptionStatus, kind: string, now: number): boolean =>
  kind === 'active' ? active : !active && (until === undefined || until <= now)

const stateOf = ({ active, since = 0, until }: SubscriptionStatus, now: number): string => {
  if (active)
    return until !== undefined && until > now ? `Active until ${day(until)}` : 'Active, not yet renewed'
  if (until === undefined) return 'Never paid'
  if (until <= now) return `Ended ${day(until)}`
  return since > now ? `Begins ${day(since)}` : 'Paused'
}

/** Returns the current plans of a subscription, or its last ones if it has ended, in words and with their monthly values. */
const plansOf = (snapshot: Snapshot, { subscription_id, holds }: SubscriptionStatus) => {
  const sold = snapshot.sold().get(subscription_id)
  if (holds.length > 0)
    return holds.map(({ key, name, currency, monthly }) => {
      const words = sold?.get(`${key} ${currency}`)?.words() ?? name ?? 'No plan named'
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
  const rowOf = (currency: string, plan: string, amount: number): Row => ({
    path: ['subscriptions', subscription_id],
    customer: customer_id,
    currency,
    cells: {
      customer: snapshot.labelOf(customer_id),
      ...{ plan, monthly: { amount, currency }, since, until },
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

interface Share extends Amount {
  readonly customer: string
}

/**
 * Returns the sum of each customer's amounts, by their id: in a currency, or else, as nothing is to be read as nothing paid, in
 * the first other one that they have an amount in.
 */
const amountsIn = (currency: string, shares: readonly Share[]): ReadonlyMap<string, Amount> => {
  const amounts = new Map<string, Amount>()
  const isOther = (share: Share) => Number(share.currency !== currency)
  for (const { customer, amount, currency: own } of shares.toSorted((a, b) => isOther(a) - isOther(b))) {
    const before = amounts.get(customer) ?? { amount: 0, currency: own }
    if (amount !== 0 && before.currency === own)
      amounts.set(customer, { amount: before.amount + amount, currency: own })
  }
  return amounts
}

const activeOf = (snapshot: Snapshot): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { customer_id, active } of snapshot.figures().subscriptionsNow)
    if (active) counts.set(customer_id, (counts.get(customer_id) ?? 0) + 1)
  return counts
}

const firstInvoice = (invoices: readonly Invoice[] | undefined): number | null =>
  invoices ? invoices.reduce((least, { created }) => Math.min(least, created), invoices[0]!.created) : null

/** Returns the customers as rows, with their amounts in a currency, or in another if they have none in it. */
export const customerRows = (snapshot: Snapshot, currency: string): Row[] => {
  const { invoicedByCustomer, subscriptionsNow } = snapshot.figures()
  const ofInvoices = invoicedByCustomer.flatMap(({ currency: own, rows }) =>
    rows.map(({ key: customer, amount }) => ({ customer, amount, currency: own! })),
  )
  const ofPlans = subscriptionsNow.flatMap(({ customer_id: customer, holds }) =>
    holds.map(({ currency: own, monthly: amount }) => ({ customer, amount, currency: own })),
  )
  const [paid, held] = [amountsIn(currency, ofInvoices), amountsIn(currency, ofPlans)]
  const active = activeOf(snapshot)
  return snapshot.customers.map(({ id, email, external_id = null }) => {
    const invoiced = paid.get(id) ?? { amount: 0, currency: held.get(id)?.currency ?? currency }
    const monthly = held.get(id) ?? { amount: 0, currency: invoiced.currency }
    return {
      path: ['customers', id],
      customer: id,
      currency: invoiced.currency,
      cells: {
        name: snapshot.labelOf(id),
        ...{ email, external_id, id, monthly, invoiced },
        since: firstInvoice(snapshot.invoicesOf().get(id)),
        active: active.get(id) ?? 0,
      },
    }
  })
}
