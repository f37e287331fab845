import { min, sum } from 'd3-array'
import { chosenCurrency, firstSecondOf } from '../figures/figures-query.ts'
import type { Invoice, RecordedEntity } from '../records/entities.ts'
import { type DiscountTerms, discountTermsText, entityLabel } from '../records/entity-text.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { columnsOf, type ListColumn } from './columns.ts'
import { sortRows } from './list-sort.ts'
import { sumsOf } from './list-sums.ts'
import { subscriptionRows } from './rows.ts'

export interface DiscountUse {
  readonly currency: string
  /** The sum of the discounts of its invoices, in minor units. */
  readonly amount: number
  readonly invoices: number
  /** The number of these invoices that also have other discounts. Their amounts are not divided among them. */
  readonly sharedInvoices: number
  readonly customers: number
}

export const invoicesWithDiscount = ({ invoices }: Snapshot, discountId: string): readonly Invoice[] =>
  invoices.filter(({ discounts }) => discounts.some(({ id }) => id === discountId))

const costOf = (snapshot: Snapshot, invoices: readonly Invoice[]): number =>
  sum(invoices, (invoice) => snapshot.amountsOf(invoice).discount)

const customersOf = (invoices: readonly Invoice[]): number =>
  new Set(invoices.map(({ customer_id }) => customer_id)).size

const usesOf = (snapshot: Snapshot, invoicesWithIt: readonly Invoice[]): DiscountUse[] => {
  const groups = Map.groupBy(invoicesWithIt, ({ currency }) => currency)
  return snapshot.currencies().flatMap((currency) => {
    const invoices = groups.get(currency)
    if (!invoices) return []
    return {
      currency,
      amount: costOf(snapshot, invoices),
      invoices: invoices.length,
      sharedInvoices: invoices.filter(({ discounts }) => discounts.length > 1).length,
      customers: customersOf(invoices),
    }
  })
}

/** A discount with its use in one currency. Amounts are in minor units. */
export interface DiscountRow {
  readonly id: string
  readonly label: string
  readonly terms: string
  readonly customers: number
  /** The number of active subscriptions whose latest invoice has it. */
  readonly running: number
  /** When it ends next for one of them, in seconds; undefined if it does not end. */
  readonly nextEnd: number | undefined
  /** Its cost in the last 12 months, and in all months. */
  readonly recentCost: number
  readonly cost: number
}

/** Returns the latest invoice of each active subscription, except credit notes. */
const latestInvoices = ({ invoices, figures }: Snapshot): readonly Invoice[] => {
  const active = new Set(
    figures()
      .subscriptionsNow.filter((subscription) => subscription.active)
      .map(({ subscription_id }) => subscription_id),
  )
  const latest = new Map<string, Invoice>()
  for (const invoice of invoices) {
    const { subscription_id: id, total, period_end } = invoice
    const isLater = period_end > (latest.get(id)?.period_end ?? Number.NEGATIVE_INFINITY)
    if (active.has(id) && total >= 0 && isLater) latest.set(id, invoice)
  }
  return [...latest.values()]
}

/**
 * In seconds: the end of its only invoice's period, or its months after the first invoice that has it; undefined if it does not
 * end.
 */
const endOf = ({ calendar }: Snapshot, terms: DiscountTerms, first: Invoice): number | undefined => {
  if (terms.duration === 'once') return first.period_end
  if (terms.duration !== 'repeating' || terms.duration_in_months === null) return undefined
  return calendar.shift(first.period_start, 'month', terms.duration_in_months)
}

/** The ids of the subscriptions for which a discount runs, and when it ends for each, in seconds; undefined if it does not end. */
const endsOf = (
  snapshot: Snapshot,
  terms: DiscountTerms,
  { latest, withIt }: { readonly latest: readonly Invoice[]; readonly withIt: readonly Invoice[] },
): ReadonlyMap<string, number | undefined> => {
  const named = new Set(withIt)
  const running = latest.filter((invoice) => named.has(invoice))
  return new Map(
    running.map(({ subscription_id: id }) => {
      const ofSubscription = withIt.filter(({ subscription_id }) => subscription_id === id)
      const first = ofSubscription.reduce((a, b) => (b.period_start < a.period_start ? b : a))
      return [id, endOf(snapshot, terms, first)]
    }),
  )
}

const endColumn: ListColumn = { key: 'ends', title: 'Discount ends', kind: 'day', phone: 'side' }

/** The use of a discount in each currency, and the active subscriptions that have it, in the order in which it ends for them. */
export const discountOf = (snapshot: Snapshot, discountId: string) => {
  const currencies = snapshot.currencies()
  const withIt = invoicesWithDiscount(snapshot, discountId)
  const discount = snapshot.entities('discounts').find(({ id }) => id === discountId)
  const ends = discount
    ? endsOf(snapshot, discount as RecordedEntity & DiscountTerms, {
        latest: latestInvoices(snapshot),
        withIt,
      })
    : new Map<string, undefined>()
  const rows = snapshot
    .figures()
    .subscriptionsNow.filter(({ subscription_id }) => ends.has(subscription_id))
    .flatMap((subscription) => subscriptionRows(snapshot, subscription))
    .map((row) => ({ ...row, cells: { ...row.cells, ends: ends.get(row.path[1]) ?? null } }))
  const columns = columnsOf('subscriptions').filter(({ key }) => key !== 'state' && key !== 'since')
  return {
    uses: usesOf(snapshot, withIt),
    subscriptions: {
      columns: columns.toSpliced(2, 0, endColumn),
      rows: sortRows(rows, 'ends', currencies),
      sums: sumsOf(rows, currencies),
    },
  }
}

const RECENT_MONTHS = 12

/** All discounts with their use in one currency, the highest cost first. */
export const discountsOf = (snapshot: Snapshot, query: { readonly currency?: string | undefined }) => {
  const currency = chosenCurrency(snapshot, query) ?? ''
  const since = firstSecondOf(snapshot, RECENT_MONTHS)
  const isShown = (invoice: Invoice) => invoice.currency === currency && invoice.created < snapshot.endOfMonth
  const invoicesByDiscount = new Map<string, Invoice[]>()
  for (const invoice of snapshot.invoices.filter(isShown))
    for (const { id } of invoice.discounts) {
      const invoices = invoicesByDiscount.get(id) ?? []
      invoices.push(invoice)
      invoicesByDiscount.set(id, invoices)
    }
  const latest = latestInvoices(snapshot).filter(isShown)
  const rowOf = (discount: RecordedEntity): DiscountRow => {
    const { id } = discount
    const terms = discount as RecordedEntity & DiscountTerms
    const invoices = invoicesByDiscount.get(id) ?? []
    const ends = endsOf(snapshot, terms, { latest, withIt: invoices })
    return {
      id,
      label: entityLabel(discount),
      terms: discountTermsText(terms),
      customers: customersOf(invoices),
      running: ends.size,
      nextEnd: min([...ends.values()].flatMap((end) => (end !== undefined && end > snapshot.now ? end : []))),
      recentCost: costOf(
        snapshot,
        invoices.filter(({ created }) => created >= since),
      ),
      cost: costOf(snapshot, invoices),
    }
  }
  const recent = snapshot.invoices.filter((invoice) => isShown(invoice) && invoice.created >= since)
  const recentCost = costOf(snapshot, recent)
  return {
    currency,
    currencies: snapshot.currencies(),
    rows: snapshot
      .entities('discounts')
      .map(rowOf)
      .sort((a, b) => b.recentCost - a.recentCost || b.cost - a.cost || (a.label < b.label ? -1 : 1)),
    // Net, in the last 12 months. An invoice with several discounts counts once.
    recentCost,
    recentFullAmount: recentCost + sum(recent, (invoice) => snapshot.amountsOf(invoice).net),
  }
}
