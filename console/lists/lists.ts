import { explainedChanges } from '../figures/changes.ts'
import type { Snapshot } from '../records/snapshot.ts'
import type { CsvTable } from '../text/csv.ts'
import { boundsOf, type Months, monthFrom, monthsFrom, timeSpanFrom } from '../text/time-span.ts'
import { columnsOf, columnsWithValues, type ListName, type Row } from './columns.ts'
import { invoicesWithDiscount } from './discount.ts'
import { csvOfCustomers, csvOfInvoices, csvOfSubscriptions } from './list-csv.ts'
import { comparedTitle, filterOf } from './list-filter.ts'
import type { ListQuery } from './list-query.ts'
import { isSortedByAmount, sortRows } from './list-sort.ts'
import { sumsOf } from './list-sums.ts'
import { customerRows, invoiceRow, isOfKind, movementRow, renewalRow, subscriptionRows } from './rows.ts'

/** The maximum number of rows of a page. */
export const PAGE_ROWS = 100

/** Returns the months of the changes that a list is asked for, by default the current one. */
const monthsOfChanges = ({ calendar, now }: Snapshot, { month = '' }: ListQuery): Months =>
  monthsFrom(month) ?? { first: calendar.monthOf(now), count: 1 }

/** Returns the invoices that a fact of the coverage counts; all invoices without a fact. */
const invoicesOfFact = (snapshot: Snapshot, fact: string | undefined): Snapshot['invoices'] => {
  if (!fact) return snapshot.invoices
  const findings = snapshot.figures().findingsOf.filter((finding) => finding.fact === fact)
  const ids = new Set(findings.map(({ invoice_id }) => invoice_id))
  return snapshot.invoices.filter(({ id }) => ids.has(id))
}

const invoiceRows = (snapshot: Snapshot, query: ListQuery): Row[] => {
  const { currency, kind, by: segmentKey, fact, discount } = query
  const invoices = discount ? invoicesWithDiscount(snapshot, discount) : invoicesOfFact(snapshot, fact)
  return invoices
    .filter((invoice) => !currency || invoice.currency === currency)
    .filter(({ total }) => kind !== 'credits' || total < 0)
    .map((invoice) => invoiceRow(snapshot, invoice, segmentKey))
}

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
  return snapshot
    .figures()
    .expectedRenewals.filter((renewal) => renewal.month === month)
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

/** The column of the date that a time span limits. */
const dateColumn: Readonly<Record<ListName, string>> = {
  customers: 'since',
  invoices: 'created',
  subscriptions: 'until',
}

/** Returns a function that tests whether the date of a row is in the time span of the query. */
const isWithin = ({ now, calendar }: Snapshot, { list, within, moved, renews }: ListQuery) => {
  if (!within || moved || renews) return () => true
  const span = timeSpanFrom(within)
  if (!span) return () => false
  const { start, end } = boundsOf(span, now, calendar)
  const key = dateColumn[list]
  return ({ cells }: Row): boolean => {
    const date = cells[key]
    return typeof date === 'number' && date >= start && date < end
  }
}

/** The changes by which customers pay less. */
const losses: readonly string[] = ['lost', 'churn', 'contraction']

/**
 * Returns the sort of a list for which the query names none. Changes begin with the largest one, renewals with the next one, a time
 * span with its latest date, and other lists with the newest record.
 */
const defaultSort = ({ list, moved, renews, within }: ListQuery): string => {
  if (list === 'subscriptions' && renews) return 'renews'
  if (list === 'customers' && moved) return losses.includes(moved) ? 'change' : '-change'
  if (within) return `-${dateColumn[list]}`
  return list === 'invoices' ? '-created' : '-since'
}

const sortOf = (query: ListQuery): string => query.sort ?? defaultSort(query)

/** Returns the rows that match a query, sorted. */
const matchingRows = (snapshot: Snapshot, query: ListQuery): Row[] => {
  const { list, text, currency, by: segmentKey, segment } = query
  const isInSpan = isWithin(snapshot, query)
  const matchesText = text ? filterOf(snapshot, list, text) : () => true
  const isInSegment = ({ customer }: Row) =>
    !segmentKey || !segment || snapshot.segmentOf(customer, segmentKey) === segment
  const rows = rowsOf[list](snapshot, query).filter(
    (row) =>
      (!currency || row.currency === currency) && isInSpan(row) && isInSegment(row) && matchesText(row),
  )
  return sortRows(rows, sortOf(query), snapshot.currencies())
}

/** Returns a page of a list, the number of all matching records, and their sums. */
export const listOf = (snapshot: Snapshot, query: ListQuery) => {
  const rows = matchingRows(snapshot, query)
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS))
  const page = Math.min(pages, Math.max(1, Math.floor(Number(query.page)) || 1))
  const sort = sortOf(query)
  const currentMonth = snapshot.calendar.monthOf(snapshot.now)
  return {
    page,
    pages,
    rowCount: rows.length,
    /** The number of records. A record with amounts in several currencies has a row for each. */
    count: new Set(rows.map(({ path }) => path[1])).size,
    currencies: snapshot.currencies(),
    segmentKeys: snapshot.segmentKeys(),
    /** The label of the discount whose invoices are listed. */
    discountLabel: query.discount && snapshot.discountLabel(query.discount),
    /** The title of the amount that the text filter compares. */
    comparedTitle: comparedTitle(query.list, columnsOf(query.list, query)),
    columns: columnsWithValues(columnsOf(query.list, query), rows),
    sort,
    /** Whether the rows are grouped by currency, in the order of the sums. */
    isGrouped: isSortedByAmount(rows, sort),
    /** The months of the changes, if customers are listed by a change; otherwise to be ignored. */
    monthsOfChanges: monthsOfChanges(snapshot, query),
    currentMonth,
    /** The rows of this page. */
    rows: rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS),
    /** The sums of all matching rows. */
    sums: sumsOf(rows, snapshot.currencies()),
  }
}

/** A page of a list. */
export type ListPage = ReturnType<typeof listOf>

/** The functions that return the rows of each list as CSV. */
const csvFunctions = {
  customers: csvOfCustomers,
  invoices: csvOfInvoices,
  subscriptions: csvOfSubscriptions,
} as const satisfies Readonly<Record<ListName, typeof csvOfCustomers>>

/** Returns all matching rows of a list as CSV. Since all keys of the metadata have columns in it, the chosen one needs no other. */
export const csvOf = (snapshot: Snapshot, query: ListQuery): CsvTable =>
  csvFunctions[query.list](
    snapshot,
    columnsOf(query.list, { ...query, by: undefined }),
    matchingRows(snapshot, query),
  )
