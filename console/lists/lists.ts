import { explainedChanges } from '../figures/changes.ts'
import { renewalsOf } from '../figures/renewals.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { type Months, monthFrom, monthsFrom, secondsOf, timeSpanFrom } from '../text/time-span.ts'
import { type Column, columnsOf, type ListName, type Row } from './columns.ts'
import { csvOfInvoices, csvOfRows } from './list-csv.ts'
import { filterOf } from './list-filter.ts'
import type { ListQuery } from './list-query.ts'
import { isSortedByAmount, sortRows } from './list-sort.ts'
import { sumsOf } from './list-sums.ts'
import { customerRows, invoiceRow, isOfKind, movementRow, renewalRow, subscriptionRows } from './rows.ts'

export const PAGE_ROWS = 100

/** Returns the months of the changes that a list is asked for, by default the running one. */
const monthsOfChanges = ({ calendar, now }: Snapshot, { month = '' }: ListQuery): Months =>
  monthsFrom(month) ?? { first: calendar.monthOf(now), count: 1 }

/** Returns the invoices that a fact of the coverage counts; all invoices without a fact. */
const invoicesOfFact = (snapshot: Snapshot, fact: string | undefined): Snapshot['invoices'] => {
  if (!fact) return snapshot.invoices
  const findings = snapshot.figures().findingsOf.filter((finding) => finding.fact === fact)
  const ids = new Set(findings.map(({ invoice_id }) => invoice_id))
  return snapshot.invoices.filter(({ id }) => ids.has(id))
}

const invoiceRows = (snapshot: Snapshot, { currency, kind, by: segmentKey, fact }: ListQuery): Row[] =>
  invoicesOfFact(snapshot, fact)
    .filter((invoice) => !currency || invoice.currency === currency)
    .filter(({ total }) => kind !== 'credits' || total < 0)
    .map((invoice) => invoiceRow(snapshot, invoice, segmentKey))

const rowsOfCustomers = (snapshot: Snapshot, query: ListQuery): Row[] => {
  const { moved, currency, by: segmentKey } = query
  if (!moved) return customerRows(snapshot, segmentKey)
  const months = monthsOfChanges(snapshot, query)
  return explainedChanges(snapshot, { moved, months, currency }).map((movement) =>
    movementRow(snapshot, movement, segmentKey),
  )
}

const rowsOfRenewals = (snapshot: Snapshot, renews: string, segmentKey: string | undefined): Row[] => {
  const month = monthFrom(renews)
  return renewalsOf(snapshot)
    .filter(({ time }) => snapshot.calendar.monthOf(time) === month)
    .map((renewal) => renewalRow(snapshot, renewal, segmentKey))
}

const rowsOfSubscriptions = (snapshot: Snapshot, { kind, by: segmentKey, renews }: ListQuery): Row[] => {
  if (renews) return rowsOfRenewals(snapshot, renews, segmentKey)
  return snapshot
    .figures()
    .subscriptionsNow.filter((subscription) => !kind || isOfKind(subscription, kind, snapshot.now))
    .flatMap((subscription) => subscriptionRows(snapshot, subscription, segmentKey))
}

const rowsOf: Readonly<Record<ListName, (snapshot: Snapshot, query: ListQuery) => Row[]>> = {
  customers: rowsOfCustomers,
  invoices: invoiceRows,
  subscriptions: rowsOfSubscriptions,
}

/** The date by which a list is limited to a span of time. */
const dateColumn: Readonly<Record<ListName, string>> = {
  customers: 'since',
  invoices: 'created',
  subscriptions: 'until',
}

/** Returns a function that tests whether the date of a row is in the span of time that is asked for. */
const isWithin = ({ now, calendar }: Snapshot, { list, within, moved, renews }: ListQuery) => {
  if (!within || moved || renews) return () => true
  const span = timeSpanFrom(within)
  if (!span) return () => false
  const { from, over } = secondsOf(span, now, calendar)
  const key = dateColumn[list]
  return ({ cells }: Row): boolean => {
    const date = cells[key]
    return typeof date === 'number' && date >= from && date < over
  }
}

/** The changes by which customers pay less. */
const losses: readonly string[] = ['lost', 'churn', 'contraction']

/** Returns the usual order: largest changes first, next renewals first, otherwise the latest dates by which the list is limited. */
const usualSort = ({ list, moved, renews, within }: ListQuery): string => {
  if (list === 'subscriptions' && renews) return 'renews'
  if (list === 'customers' && moved) return losses.includes(moved) ? 'change' : '-change'
  if (within) return `-${dateColumn[list]}`
  return list === 'invoices' ? '-created' : '-since'
}

const sortOf = (query: ListQuery): string => query.sort ?? usualSort(query)

/** Returns the rows that a list is asked for, sorted. */
const chosenRows = (snapshot: Snapshot, query: ListQuery): Row[] => {
  const { list, text, currency, by: segmentKey, segment } = query
  const isInSpan = isWithin(snapshot, query)
  const isMeant = text ? filterOf(snapshot, list, text) : () => true
  const isInSegment = ({ customer }: Row) =>
    !segmentKey || !segment || snapshot.segmentOf(customer, segmentKey) === segment
  const chosen = rowsOf[list](snapshot, query).filter(
    (row) => (!currency || row.currency === currency) && isInSpan(row) && isInSegment(row) && isMeant(row),
  )
  return sortRows(chosen, sortOf(query), snapshot.currencies())
}

/** Returns a page of a list, how many records there are in all, and the sums of all of them. */
export const listOf = (snapshot: Snapshot, query: ListQuery) => {
  const rows = chosenRows(snapshot, query)
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS))
  const page = Math.min(pages, Math.max(1, Math.floor(Number(query.page)) || 1))
  const sort = sortOf(query)
  const running = snapshot.calendar.monthOf(snapshot.now)
  return {
    page,
    pages,
    rowCount: rows.length,
    /** The number of records, of which some have a row for each currency. */
    count: new Set(rows.map(({ path }) => path[1])).size,
    currencies: snapshot.currencies(),
    segmentKeys: snapshot.segmentKeys(),
    columns: columnsOf(query.list, query),
    sort,
    /** Whether rows of a currency follow one another, in the order of the sums. */
    isGrouped: isSortedByAmount(rows, sort),
    /** The months of the changes of customers that are listed, if they are. */
    monthsOfChanges: monthsOfChanges(snapshot, query),
    running,
    rows: rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS),
    sums: sumsOf(rows, snapshot.currencies()),
  }
}

export type ListPage = ReturnType<typeof listOf>

/** The key of the metadata that a file for a tax adviser has, if customers have it and no other is chosen. */
const COUNTRY = 'country'

const columnsOfFile = (
  snapshot: Snapshot,
  query: ListQuery,
): { columns: readonly Column[]; segmentKey: string | undefined } => {
  const hasCountry = snapshot.metadataKeys().includes(COUNTRY)
  const segmentKey = query.by || (query.list === 'invoices' && hasCountry ? COUNTRY : undefined)
  return { columns: columnsOf(query.list, { ...query, by: segmentKey }), segmentKey }
}

/** Returns all rows of a list as CSV. */
export const csvOf = (snapshot: Snapshot, query: ListQuery): string => {
  const { columns, segmentKey } = columnsOfFile(snapshot, query)
  const rows = chosenRows(snapshot, { ...query, by: segmentKey })
  return query.list === 'invoices'
    ? csvOfInvoices(snapshot, columns, rows)
    : csvOfRows(snapshot, columns, rows)
}
