import { max } from 'd3-array'
import type { SubscriptionStatus } from '../../client/analytics/index.ts'
import type { Customer, RecordedEntity } from '../records/entities.ts'
import { lastChangeText } from '../records/reason-text.ts'
import type { Snapshot } from '../records/snapshot.ts'
import type { CsvTable } from '../text/csv.ts'
import type { Amount } from '../text/format.ts'
import { boundsOf, timeSpanFrom } from '../text/time-span.ts'
import {
  columnsOf,
  columnsWithoutCustomer,
  columnsWithValues,
  type ListColumn,
  type ListRow,
} from './columns.ts'
import { csvOfInvoices } from './list-csv.ts'
import { type Sums, sumsOf } from './list-sums.ts'
import { invoiceRow, subscriptionRows } from './rows.ts'

const invoiceColumns = columnsWithoutCustomer('invoices')
/** The last change of a subscription, which only the customer's page shows. */
const changeColumn: ListColumn = { key: 'changed', title: 'Last change', kind: 'text' }
/** Without the column of the end of the billed period, since the state contains it. */
const subscriptionColumns = columnsWithoutCustomer('subscriptions').flatMap((column) => {
  if (column.key === 'until') return []
  return column.key === 'monthly' ? [changeColumn, column] : [column]
})

const subscriptionRowsWithChange = (snapshot: Snapshot, subscription: SubscriptionStatus): ListRow[] => {
  const { subscription_id, customer_id } = subscription
  const invoices = (snapshot.invoicesByCustomer().get(customer_id) ?? []).filter(
    (invoice) => invoice.subscription_id === subscription_id,
  )
  const changed = lastChangeText(snapshot.movementsOf(invoices), snapshot.calendar.monthOf(snapshot.now))
  return subscriptionRows(snapshot, subscription).map((row) => ({ ...row, cells: { ...row.cells, changed } }))
}

const amountsIn = (sums: readonly Sums[], key: string): Amount[] =>
  sums.map(({ currency, amounts }) => ({ currency, amount: amounts[key] ?? 0 }))

/** The data of a customer's page, by either id; undefined if the copy does not contain the customer. */
export const customerOf = (snapshot: Snapshot, id: string) => {
  const customer = snapshot.customerByAnyId(id)
  if (!customer) return undefined
  const invoices = (snapshot.invoicesByCustomer().get(customer.id) ?? []).toSorted(
    (a, b) => b.created - a.created,
  )
  const rows = invoices.map((invoice) => invoiceRow(snapshot, invoice))
  const subscriptions = snapshot
    .figures()
    .subscriptionsNow.filter(({ customer_id }) => customer_id === customer.id)
  const rowsOfSubscriptions = subscriptions.flatMap((subscription) =>
    subscriptionRowsWithChange(snapshot, subscription),
  )
  const sums = sumsOf(rows, snapshot.currencies())
  const subscriptionSums = sumsOf(rowsOfSubscriptions, snapshot.currencies())
  // Only the copy has the first two fields. The page shows the others, which the service returns.
  const { changed, first, ...customerFields } = customer as Customer & RecordedEntity
  return {
    customer: customerFields,
    name: snapshot.customerLabel(customer.id),
    /** The sum of the invoices with tax, in each currency. */
    invoiced: amountsIn(sums, 'total'),
    /** The sum of the invoices without tax, in each currency. */
    billed: amountsIn(sums, 'net'),
    /** The monthly value of the subscriptions, in each currency that has any. */
    monthly: amountsIn(subscriptionSums, 'monthly').filter(({ amount }) => amount !== 0),
    subscriptionCount: subscriptions.length,
    active: subscriptions.filter(({ active }) => active).length,
    /** The times of the latest and the first invoice, in seconds; undefined without invoices. */
    latest: invoices[0]?.created,
    since: invoices.at(-1)?.created,
    /** The latest end of the billed periods of the active subscriptions, in seconds; undefined if none is active. */
    until: max(
      subscriptions.filter((each) => each.active),
      ({ until }) => until,
    ),
    subscriptionColumns: columnsWithValues(subscriptionColumns, rowsOfSubscriptions),
    /** A row for each currency of a subscription. */
    subscriptions: rowsOfSubscriptions,
    invoiceColumns: columnsWithValues(invoiceColumns, rows),
    invoices: rows,
    sums,
  }
}

export type CustomerAnswer = NonNullable<ReturnType<typeof customerOf>>

export interface StatementQuery {
  /** Either id of the customer. */
  readonly id: string
  /** The time span of the statement, as an address names it; by default all time. */
  readonly within?: string | undefined
}

const invoicesWithin = (snapshot: Snapshot, id: string, within: string) => {
  const invoices = (snapshot.invoicesByCustomer().get(id) ?? []).toSorted((a, b) => a.created - b.created)
  const span = timeSpanFrom(within)
  if (!span) return invoices
  const { start, end } = boundsOf(span, snapshot.now, snapshot.calendar)
  return invoices.filter(({ created }) => created >= start && created < end)
}

/** A customer's statement of invoices: their invoices in a span of time, oldest first, and the sums of each currency. */
export const statementOf = (snapshot: Snapshot, { id, within = '' }: StatementQuery) => {
  const customer = snapshot.customerByAnyId(id)
  if (!customer) return undefined
  const invoices = invoicesWithin(snapshot, customer.id, within)
  const rows = invoices.map((invoice) => invoiceRow(snapshot, invoice))
  return {
    id: customer.id,
    externalId: customer.external_id,
    name: snapshot.customerLabel(customer.id),
    email: customer.email,
    currentMonth: snapshot.calendar.monthOf(snapshot.now),
    /** The times of the first and the last invoice, in seconds; undefined without invoices. */
    first: invoices[0]?.created,
    last: invoices.at(-1)?.created,
    columns: statementColumns(rows),
    rows,
    sums: sumsOf(rows, snapshot.currencies()),
  }
}

/** Returns the columns of a statement, which has no links. */
const statementColumns = (rows: readonly ListRow[]): ListColumn[] =>
  columnsWithValues(invoiceColumns, rows).map(({ link: _, ...column }) => column)

export const csvOfStatement = (snapshot: Snapshot, query: StatementQuery): CsvTable => {
  const rows: readonly ListRow[] = statementOf(snapshot, query)?.rows ?? []
  return csvOfInvoices(snapshot, columnsOf('invoices'), rows)
}
