import * as analytics from '../../client/analytics/index.ts'
import { BillingConventions } from '../../client/analytics/lines/billing-conventions.ts'
import { calendarOf } from '../../client/analytics/lines/calendar.ts'
import { fold } from '../text/fold.ts'
import { isoDayIn } from '../text/format.ts'
import { amountsOf, billedByCustomer } from './amounts.ts'
import { billedPlansOf } from './billed-plans.ts'
import type { Customer, Invoice } from './entities.ts'
import type { RecordStore } from './record-store.ts'
import { segmentKeysOf, segmentOf } from './segments.ts'

/** Computes a value when it is first asked for. */
const once = <Value>(compute: () => Value): (() => Value) => {
  let computed: { readonly value: Value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

/** Computes a value when it is first asked for with a key. */
const oncePerKey = <Key, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const computed = new Map<Key, Value>()
  return (key) => {
    if (!computed.has(key)) computed.set(key, compute(key))
    return computed.get(key)!
  }
}

const currenciesOf = (invoices: readonly Invoice[]): string[] => {
  const counts = new Map<string, number>()
  for (const { currency } of invoices) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([currency]) => currency)
}

const labelOf = ({ name, external_id, id }: Customer): string => name ?? external_id ?? id

/** The service's id is random: a part of it says nothing. */
const searchTextOf = ({ name, email, external_id }: Customer): string =>
  fold([name, email, external_id].filter(Boolean).join(' '))

/**
 * Returns what is computed from the stored records as they are, at a time in seconds, by the calendar of a time zone; each part when
 * it is first asked for.
 */
export const snapshotOf = (store: RecordStore, now: number, timeZone: string) => {
  const invoices = store.invoices()
  const customers = store.customers()
  const calendar = calendarOf(timeZone)
  const endOfMonth = calendar.startOf(calendar.monthOf(now) + 1)
  const conventions = new BillingConventions(invoices)
  const invoiceAmounts = oncePerKey((invoice: Invoice) => amountsOf(invoice, conventions))
  const figures = once(() => analytics.figuresOf(invoices, now, timeZone))
  return {
    now,
    timeZone,
    calendar,
    /** The first second after the running month. What is dated later counts in no figure. */
    endOfMonth,
    invoices,
    customers,
    figures,
    amountsOf: invoiceAmounts,
    customer: (id: string): Customer => store.customer(id) ?? { id, name: null, email: null },
    /** The keys of the customers' metadata by which they can be grouped. */
    segmentKeys: once(() => segmentKeysOf(customers)),
    /** All keys of the customers' metadata. */
    metadataKeys: once(() => [...new Set(customers.flatMap(({ metadata }) => Object.keys(metadata ?? {})))]),
    /** Returns a customer's value of a key of the metadata. */
    segmentOf: (id: string, key: string): string => segmentOf(store.customer(id) ?? {}, key),
    /** Returns the names and codes of an invoice's discounts, as they are searched. */
    discountWords: (invoiceId: string): string =>
      (store.invoice(invoiceId)?.discounts ?? [])
        .flatMap(({ id, name }) => [name, store.discount(id)?.external_id ?? ''])
        .join(' '),
    /** Returns the day of a time, such as 2026-10-31, in the time zone. */
    dateOf: isoDayIn(timeZone),
    currencies: once(() => currenciesOf(invoices)),
    rankingsSince: oncePerKey((since: number) => {
      const recent = invoices.filter(({ created }) => created >= since)
      return {
        customers: billedByCustomer(
          recent.filter(({ created }) => created < endOfMonth),
          (invoice) => invoiceAmounts(invoice).net,
        ),
        plans: analytics.billedByPlan(recent, now, timeZone),
        discounts: analytics.discountedByDiscount(recent, now, timeZone),
      }
    }),
    invoicesOf: once(() => Map.groupBy(invoices, ({ customer_id }) => customer_id)),
    billedPlans: once(() => billedPlansOf(invoices)),
    searchTexts: once(() => customers.map((customer) => ({ customer, text: searchTextOf(customer) }))),
    byExternalId: once(() => new Map(customers.map((customer) => [customer.external_id, customer]))),
    find(id: string): Customer | undefined {
      return store.customer(id) ?? this.byExternalId().get(id)
    },
    searchTextOf: (id: string): string => searchTextOf(store.customer(id) ?? { id, name: null, email: null }),
    labelOf: (id: string): string => labelOf(store.customer(id) ?? { id, name: null, email: null }),
  }
}

export type Snapshot = ReturnType<typeof snapshotOf>
