import { figuresIn } from '../../client/analytics/all-figures.ts'
import { changesToClosedMonthsIn, recordedBy, revenueAsClosed } from '../../client/analytics/closed-months.ts'
import { Dataset } from '../../client/analytics/dataset.ts'
import { deferredLinesIn } from '../../client/analytics/deferred-lines.ts'
import { departuresIn } from '../../client/analytics/departures.ts'
import { explainedMovements } from '../../client/analytics/explained-movements.ts'
import type { Month } from '../../client/analytics/index.ts'
import {
  discountRankings,
  netCustomerRankings,
  planRankings,
  segmentRankings,
} from '../../client/analytics/invoiced.ts'
import { segmentMovements, segmentOfCustomer } from '../../client/analytics/segments.ts'
import { monthOf, taxRatesIn, taxRecords } from '../../client/analytics/taxes.ts'
import { trialsIn } from '../../client/analytics/trials.ts'
import { isoDayIn } from '../text/dates.ts'
import { fold } from '../text/fold.ts'
import { amountsOf } from './amounts.ts'
import { billedPlansOf } from './billed-plans.ts'
import type { Customer, Invoice } from './entities.ts'
import { entityLabel } from './entity-text.ts'
import { invoiceText, linesText } from './invoice-text.ts'
import type { RecordStore } from './record-store.ts'
import { byFrequency, metadataKeysOf, segmentKeysOf } from './segments.ts'

/** The key of the customers' metadata by which countries are told, as the guide suggests. */
export const COUNTRY = 'country'

const once = <Value>(compute: () => Value): (() => Value) => {
  let computed: { readonly value: Value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

const oncePerKey = <Key, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const computed = new Map<Key, Value>()
  return (key) => {
    if (!computed.has(key)) computed.set(key, compute(key))
    return computed.get(key)!
  }
}

/** The movements with their reasons, each with the departure if the customer left with it. */
const movementsIn = (dataset: Dataset) => {
  const departures = Map.groupBy(departuresIn(dataset), ({ customer_id }) => customer_id)
  return explainedMovements(dataset).map((movement) => {
    const { kind, month, customer_id } = movement
    const left = kind === 'churn' ? departures.get(customer_id) : undefined
    return { ...movement, departure: left?.find((departure) => departure.month === month) }
  })
}

/** Returns the text in which a customer is searched. It omits the service's id, which is random. */
const searchTextOf = ({ name, email, external_id }: Customer): string =>
  fold([name, email, external_id].filter(Boolean).join(' '))

/**
 * What is computed from the records of a store as they are at a time in seconds. Expensive parts are functions, which compute
 * their value at the first call.
 */
export const snapshotOf = (store: RecordStore, now: number, timeZone: string) => {
  const invoices = store.invoices()
  const customers = store.customers()
  const dataset = new Dataset(invoices, now, timeZone)
  const { calendar, conventions } = dataset
  const endOfMonth = calendar.startOf(calendar.monthOf(now) + 1)
  const invoiceAmounts = oncePerKey((invoice: Invoice) => amountsOf(invoice, conventions))
  // Computed from a dataset of their own, so that its parts, which are as large as the invoices, are not kept.
  const figures = once(() => figuresIn(dataset.only(invoices)))
  const customersByExternalId = once(() => new Map(customers.map((each) => [each.external_id, each])))
  /** A customer by the service's id; without name and email address if the copy does not contain the customer. */
  const customer = (id: string): Customer => store.customer(id) ?? { id, name: null, email: null }
  const segmentOf = (id: string, key: string): string => segmentOfCustomer(customer(id), key)
  const invoicesSince = (since: number) => dataset.only(invoices.filter(({ created }) => created >= since))
  const ownSubscriptionId = (id: string): string | null => store.subscription(id)?.external_id ?? null
  const ratesOfInvoice = once(() => taxRatesIn(dataset, { segmentOf: (id) => segmentOf(id, COUNTRY) }))
  return {
    now,
    timeZone,
    calendar,
    /** The first second after the current month. Invoices that are dated later count in no figure. */
    endOfMonth,
    invoices,
    customers,
    figures,
    trialsByMonth: once(() => trialsIn(dataset.only(invoices))),
    amountsOf: invoiceAmounts,
    netAmounts: (invoice: Invoice) => conventions.netAmounts(invoice),
    entities: store.entities,
    invoiceText: (invoice: Invoice): string => invoiceText(invoice, conventions),
    linesText: (invoiceId: string): string => {
      const invoice = store.invoice(invoiceId)
      return invoice ? linesText(invoice, conventions) : ''
    },
    explainedMovements: once(() => movementsIn(dataset.only(invoices))),
    /** The movements of some invoices alone, such as those of a subscription. */
    movementsOf: (own: readonly Invoice[]) => movementsIn(dataset.only(own)),
    /** The figures of the close of months, with what was recorded until a time in seconds; by default as known now. */
    closeOf: oncePerKey((recordedUntil: number | undefined) => {
      const datasetOf = (time: number | undefined) =>
        time === undefined ? dataset.only(invoices) : new Dataset(recordedBy(invoices, time), time, timeZone)
      return {
        revenue: once(() => revenueAsClosed(datasetOf(recordedUntil))),
        changes: once(() => changesToClosedMonthsIn(datasetOf(recordedUntil))),
        /** By default, those of a month that was closed are the ones that were recorded until then. */
        deferredLines: (month: Month, closedAt: number | undefined) =>
          deferredLinesIn(datasetOf(recordedUntil ?? closedAt), { month }),
        /** Returns net, tax and total by month, currency, value of a key of the customers' metadata, and rate. */
        taxesBy: oncePerKey((key: string) =>
          taxRecords(datasetOf(recordedUntil), { segmentOf: (id) => segmentOf(id, key) }, monthOf),
        ),
      }
    }),
    /** Returns the rates of tax of an invoice's lines, each once, such as 0.19. */
    taxRates: (invoiceId: string): readonly (number | null)[] => {
      const invoice = store.invoice(invoiceId)
      return invoice ? ratesOfInvoice()(invoice) : []
    },
    customer,
    /** A customer by the service's id or the user's own id; undefined if the copy does not contain the customer. */
    customerByAnyId: (id: string): Customer | undefined =>
      store.customer(id) ?? customersByExternalId().get(id),
    customerLabel: (id: string): string => entityLabel(customer(id)),
    customerSearchText: (id: string): string => searchTextOf(customer(id)),
    searchTexts: once(() => customers.map((each) => ({ customer: each, text: searchTextOf(each) }))),
    segmentKeys: once(() => segmentKeysOf(customers)),
    /** All keys of the customers' metadata except empty ones, the most frequent first. */
    metadataKeys: once(() => metadataKeysOf(customers)),
    segmentOf,
    movementsBySegment: oncePerKey((key: string) =>
      segmentMovements(dataset.only(invoices), { segmentOf: (id) => segmentOf(id, key) }),
    ),
    segmentRankingsSince: (key: string, since: number) =>
      segmentRankings(invoicesSince(since), { segmentOf: (id) => segmentOf(id, key) }),
    ownSubscriptionId,
    /** The text in which an invoice is searched: its lines, its discounts with their codes, and its subscription. */
    invoiceSearchText: (invoiceId: string): string => {
      const invoice = store.invoice(invoiceId)
      if (!invoice) return ''
      const discounts = invoice.discounts.flatMap(({ id, name }) => [name, store.discount(id)?.external_id])
      const subscription = ownSubscriptionId(invoice.subscription_id)
      return [linesText(invoice, conventions), ...discounts, subscription].filter(Boolean).join(' ')
    },
    /** Returns the records of all lists whose id, the user's own or the service's, satisfies a test. */
    recordsById: (test: (id: string) => boolean) =>
      store.search(
        ({ id, external_id }) => test(id) || (typeof external_id === 'string' && test(external_id)),
      ),
    discountLabel: (id: string): string => entityLabel(store.discount(id) ?? { id }),
    /** Returns the day of a time in seconds, such as 2026-10-31, in the time zone. */
    dateOf: isoDayIn(timeZone),
    /** The currencies of the invoices, the most frequent first. */
    currencies: once(() => byFrequency(invoices.map(({ currency }) => currency))),
    rankingsSince: oncePerKey((since: number) => {
      const recent = invoicesSince(since)
      return {
        customers: netCustomerRankings(recent),
        plans: planRankings(recent),
        discounts: discountRankings(recent),
      }
    }),
    invoicesByCustomer: once(() => Map.groupBy(invoices, ({ customer_id }) => customer_id)),
    billedPlansBySubscription: once(() => billedPlansOf(invoices)),
  }
}

export type Snapshot = ReturnType<typeof snapshotOf>
