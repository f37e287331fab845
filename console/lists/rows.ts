import { sum } from 'd3-array'
import type { Renewal, SubscriptionStatus } from '../../client/analytics/index.ts'
import type { Invoice } from '../records/entities.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { day } from '../text/dates.ts'
import { NO_PLAN_NAME } from '../text/format.ts'
import type { ListRow } from './columns.ts'

/** The rows of all lists. `segmentKey` is the key of the customers' metadata that has a column; undefined if none has. */

const segmentCell = (snapshot: Snapshot, customerId: string, segmentKey: string | undefined) =>
  segmentKey ? { segment: snapshot.segmentOf(customerId, segmentKey) } : {}

export const invoiceRow = (
  snapshot: Snapshot,
  invoice: Invoice,
  segmentKey?: string | undefined,
): ListRow => {
  const { id, customer_id, currency, created, external_id = null, period_start, period_end } = invoice
  const { net, oneOff, tax, discount, total } = snapshot.amountsOf(invoice)
  const inCurrency = (amount: number) => ({ amount, currency })
  return {
    path: ['invoices', id],
    customer: customer_id,
    currency,
    cells: {
      created,
      external_id,
      customer: snapshot.customerLabel(customer_id),
      ...segmentCell(snapshot, customer_id, segmentKey),
      what: snapshot.invoiceText(invoice),
      start: period_start,
      end: period_end,
      discount: inCurrency(discount),
      net: inCurrency(net),
      one_off: inCurrency(oneOff),
      tax: inCurrency(tax),
      total: inCurrency(total),
    },
  }
}

/** Whether a subscription is "active", "late" or "ended". One that begins later or is paused is none of them. */
export const isOfKind = ({ active, until = 0 }: SubscriptionStatus, kind: string, now: number): boolean => {
  if (kind === 'active') return active
  const isOver = until <= now
  return kind === 'late' ? active && isOver : !active && isOver
}

/** Such as `Active until 15 Jul 2026`. A subscription whose renewal is late is active for three more days. */
export const stateText = (
  { now, timeZone }: Pick<Snapshot, 'now' | 'timeZone'>,
  { active, since = 0, until }: Pick<SubscriptionStatus, 'active' | 'since' | 'until'>,
): string => {
  if (until === undefined) return 'Never billed'
  if (active) return `${until > now ? 'Active until' : 'Renewal due'} ${day(until, timeZone)}`
  if (until <= now) return `Ended ${day(until, timeZone)}`
  return since > now ? `Begins ${day(since, timeZone)}` : 'Paused'
}

/** The current plans of a subscription, or its last ones if it has ended, with their prices and monthly values. */
const plansOfSubscription = (snapshot: Snapshot, { subscription_id, holds }: SubscriptionStatus) => {
  const billed = snapshot.billedPlansBySubscription().get(subscription_id)
  if (holds.length > 0)
    return holds.map(({ key, name, currency, monthly }) => {
      const label = billed?.get(`${key} ${currency}`)?.label() ?? name ?? NO_PLAN_NAME
      return { currency, label, monthly }
    })
  const lastPlans = [...(billed?.values() ?? [])]
  const latestStart = lastPlans.reduce((latest, { start }) => Math.max(latest, start), 0)
  return lastPlans
    .filter(({ start }) => start === latestStart)
    .map(({ currency, label }) => ({ currency, label: label(), monthly: 0 }))
}

/** Returns a subscription as rows, one for each currency of its plans. */
export const subscriptionRows = (
  snapshot: Snapshot,
  subscription: SubscriptionStatus,
  segmentKey?: string | undefined,
): ListRow[] => {
  const { subscription_id, customer_id, since = null, until = null } = subscription
  const groups = [...Map.groupBy(plansOfSubscription(snapshot, subscription), ({ currency }) => currency)]
  const rowOf = (currency: string, plan: string, amount: number): ListRow => ({
    path: ['subscriptions', subscription_id],
    customer: customer_id,
    currency,
    cells: {
      customer: snapshot.customerLabel(customer_id),
      ...segmentCell(snapshot, customer_id, segmentKey),
      plan,
      state: stateText(snapshot, subscription),
      since,
      until,
      monthly: { amount, currency },
    },
  })
  if (groups.length === 0) return [rowOf('', NO_PLAN_NAME, 0)]
  return groups.map(([currency, plans]) =>
    rowOf(
      currency,
      plans.map(({ label }) => label).join(' + '),
      sum(plans, ({ monthly }) => monthly),
    ),
  )
}

export const renewalRow = (
  snapshot: Snapshot,
  renewal: Renewal,
  segmentKey?: string | undefined,
): ListRow => {
  const { subscription_id, customer_id, currency, due, amount, plans } = renewal
  const billed = snapshot.billedPlansBySubscription().get(subscription_id)
  const labels = plans.map(({ key, name }) => billed?.get(`${key} ${currency}`)?.label() ?? name)
  return {
    path: ['subscriptions', subscription_id],
    customer: customer_id,
    currency,
    cells: {
      customer: snapshot.customerLabel(customer_id),
      ...segmentCell(snapshot, customer_id, segmentKey),
      plan: labels.map((label) => label ?? NO_PLAN_NAME).join(' + '),
      renews: due,
      expected: { amount, currency },
    },
  }
}

/** The totals of a customer in one currency, and the number of active subscriptions. Amounts are in minor units. */
interface CustomerTotals {
  invoiced: number
  billed: number
  monthly: number
  active: number
}

const totalsByCustomer = (snapshot: Snapshot): ReadonlyMap<string, ReadonlyMap<string, CustomerTotals>> => {
  const customers = new Map<string, Map<string, CustomerTotals>>()
  const totalsOf = (id: string, currency: string): CustomerTotals => {
    const currencies = customers.get(id) ?? new Map<string, CustomerTotals>()
    const totals = currencies.get(currency) ?? { invoiced: 0, billed: 0, monthly: 0, active: 0 }
    customers.set(id, currencies.set(currency, totals))
    return totals
  }
  for (const invoice of snapshot.invoices) {
    // Like the figures, the totals omit invoices that are dated after the current month.
    if (invoice.created >= snapshot.endOfMonth) continue
    const totals = totalsOf(invoice.customer_id, invoice.currency)
    const { net, total } = snapshot.amountsOf(invoice)
    totals.invoiced += total
    totals.billed += net
  }
  for (const { customer_id, active, holds } of snapshot.figures().subscriptionsNow) {
    for (const { currency, monthly } of holds) totalsOf(customer_id, currency).monthly += monthly
    const currencies = new Set(holds.map(({ currency }) => currency))
    if (active) for (const currency of currencies) totalsOf(customer_id, currency).active += 1
  }
  return customers
}

const firstInvoiceTime = (invoices: readonly Invoice[] | undefined): number | null =>
  invoices ? invoices.reduce((least, { created }) => Math.min(least, created), invoices[0]!.created) : null

/** A customer has a row for each currency of their amounts, or a single row if there are no amounts. */
export const customerRows = (snapshot: Snapshot, segmentKey?: string | undefined): ListRow[] => {
  const totals = totalsByCustomer(snapshot)
  return snapshot.customers.flatMap(({ id, email, external_id = null }) => {
    const shared = {
      name: snapshot.customerLabel(id),
      ...segmentCell(snapshot, id, segmentKey),
      email,
      external_id,
      since: firstInvoiceTime(snapshot.invoicesByCustomer().get(id)),
    }
    const rowOf = (currency: string, totalsInCurrency?: CustomerTotals): ListRow => {
      const inCurrency = (amount: number | undefined) => (amount === undefined ? null : { amount, currency })
      return {
        path: ['customers', id],
        customer: id,
        currency,
        cells: {
          ...shared,
          active: totalsInCurrency?.active ?? 0,
          monthly: inCurrency(totalsInCurrency?.monthly),
          billed: inCurrency(totalsInCurrency?.billed),
          invoiced: inCurrency(totalsInCurrency?.invoiced),
        },
      }
    }
    const currencies = [...(totals.get(id) ?? [])]
    return currencies.length === 0
      ? [rowOf('')]
      : currencies.map(([currency, totalsInCurrency]) => rowOf(currency, totalsInCurrency))
  })
}
