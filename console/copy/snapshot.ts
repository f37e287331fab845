import * as analytics from '../../client/analytics/index.ts'
import { fold } from '../text/fold.ts'
import type { Customer, Invoice } from './entities.ts'
import type { RecordStore } from './record-store.ts'
import { soldBySubscription } from './sold.ts'

/** Computes a value when it is first asked for. */
const once = <Value>(compute: () => Value): (() => Value) => {
  let computed: { readonly value: Value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

const oncePer = <Value>(compute: (of: number) => Value): ((of: number) => Value) => {
  const computed = new Map<number, Value>()
  return (of) => {
    if (!computed.has(of)) computed.set(of, compute(of))
    return computed.get(of)!
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

/** Returns what is computed from the stored records as they are, at a time in seconds; each part when it is first asked for. */
export const snapshotOf = (store: RecordStore, now: number) => {
  const invoices = store.invoices()
  const customers = store.customers()
  const figures = once(() => analytics.figuresOf(invoices, now))
  return {
    now,
    invoices,
    customers,
    figures,
    currencies: once(() => currenciesOf(invoices)),
    rankingsSince: oncePer((since) => {
      const recent = invoices.filter(({ created }) => created >= since)
      return {
        customers: analytics.invoicedByCustomer(recent, now),
        plans: analytics.billedByPlan(recent, now),
        discounts: analytics.discountedByDiscount(recent, now),
      }
    }),
    invoicesOf: once(() => Map.groupBy(invoices, ({ customer_id }) => customer_id)),
    sold: once(() => soldBySubscription(invoices)),
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
