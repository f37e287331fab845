import type { Snapshot } from '../records/snapshot.ts'
import type { CsvTable } from '../text/csv.ts'
import { boundsOf, monthFrom, timeSpanFrom } from '../text/time-span.ts'
import { columnsOf, columnsWithValues, type ListName, type ListRow } from './columns.ts'
import { invoicesWithDiscount } from './discount.ts'
import { csvOfCustomers, csvOfInvoices, csvOfSubscriptions } from './list-csv.ts'
import { comparedTitle, filterOf } from './list-filter.ts'
import type { ListQuery } from './list-query.ts'
import { isSortedByAmount, sortRows } from './list-sort.ts'
import { sumsOf } from './list-sums.ts'
import { movementChoices, movementRows } from './movements.ts'
import { customerRows, invoiceRow, isOfKind, renewalRow, subscriptionRows } from './rows.ts'

export const PAGE_ROWS = 100

const invoicesOfFact = (snapshot: Snapshot, fact: string | undefined): Snapshot['invoices'] => {
  if (!fact) return snapshot.invoices
  const findings = snapshot.figures().findingsOf.filter((finding) => finding.fact === fact)
  const ids = new Set(findings.map(({ invoice_id }) => invoice_id))
  return snapshot.invoices.filter(({ id }) => ids.has(id))
}

const invoiceRows = (snapshot: Snapshot, query: ListQuery): ListRow[] => {
  const { currency, kind, by: segmentKey, fact, discount } = query
  const invoices = discount ? invoicesWithDiscount(snapshot, discount) : invoicesOfFact(snapshot, fact)
  return invoices
    .filter((invoice) => !currency || invoice.currency === currency)
    .filter(({ total }) => kind !== 'credits' || total < 0)
    .map((invoice) => invoiceRow(snapshot, invoice, segmentKey))
}

const rowsOfRenewals = (snapshot: Snapshot, renews: string, segmentKey: string | undefined): ListRow[] => {
  const month = monthFrom(renews)
  return snapshot
    .figures()
    .expectedRenewals.filter((renewal) => renewal.month === month)
    .map((renewal) => renewalRow(snapshot, renewal, segmentKey))
}

const rowsOfSubscriptions = (snapshot: Snapshot, { kind, by: segmentKey, renews }: ListQuery): ListRow[] => {
  if (renews) return rowsOfRenewals(snapshot, renews, segmentKey)
  return snapshot
    .figures()
    .subscriptionsNow.filter((subscription) => !kind || isOfKind(subscription, kind, snapshot.now))
    .flatMap((subscription) => subscriptionRows(snapshot, subscription, segmentKey))
}

const rowsOf: Readonly<Record<ListName, (snapshot: Snapshot, query: ListQuery) => ListRow[]>> = {
  customers: (snapshot, { by: segmentKey }) => customerRows(snapshot, segmentKey),
  invoices: invoiceRows,
  subscriptions: rowsOfSubscriptions,
  movements: movementRows,
}

const dateColumn: Readonly<Record<ListName, string>> = {
  customers: 'since',
  invoices: 'created',
  subscriptions: 'until',
  movements: 'month',
}

const isWithin = ({ now, calendar }: Snapshot, { list, within, renews }: ListQuery) => {
  // Movements are read by their months.
  if (!within || renews || list === 'movements') return () => true
  const span = timeSpanFrom(within)
  if (!span) return () => false
  const { start, end } = boundsOf(span, now, calendar)
  const key = dateColumn[list]
  return ({ cells }: ListRow): boolean => {
    const date = cells[key]
    return typeof date === 'number' && date >= start && date < end
  }
}

/** Those of several months by month, and those of one month or kind by size, the largest first. */
const defaultSortOfMovements = ({ within = '', kind, customers }: ListQuery): string => {
  if (kind === 'churn' || kind === 'contraction' || customers === 'lost') return 'change'
  return kind || customers || monthFrom(within) !== undefined ? '-change' : '-month'
}

/** Renewals begin with the next one, a time span with its latest date, and other lists with the newest record. */
const defaultSort = (query: ListQuery): string => {
  const { list, renews, within } = query
  if (list === 'movements') return defaultSortOfMovements(query)
  if (list === 'subscriptions' && renews) return 'renews'
  if (within) return `-${dateColumn[list]}`
  return list === 'invoices' ? '-created' : '-since'
}

const sortOf = (query: ListQuery): string => query.sort ?? defaultSort(query)

/** Returns the rows that match a query, sorted; those of movements of all kinds. */
const rowsOfAllKinds = (snapshot: Snapshot, query: ListQuery): ListRow[] => {
  const { list, text, currency, by: segmentKey, segment } = query
  const isInSpan = isWithin(snapshot, query)
  const matchesText = text ? filterOf(snapshot, list, text) : () => true
  const isInSegment = ({ customer }: ListRow) =>
    !segmentKey || !segment || snapshot.segmentOf(customer, segmentKey) === segment
  const rows = rowsOf[list](snapshot, query).filter(
    (row) =>
      (!currency || row.currency === currency) && isInSpan(row) && isInSegment(row) && matchesText(row),
  )
  return sortRows(rows, sortOf(query), snapshot.currencies())
}

const rowsOfKind = (rows: readonly ListRow[], { kind }: ListQuery): readonly ListRow[] =>
  rows.filter(({ movement }) => !kind || !movement || movement === kind)

export const listOf = (snapshot: Snapshot, query: ListQuery) => {
  const ofAllKinds = rowsOfAllKinds(snapshot, query)
  const rows = rowsOfKind(ofAllKinds, query)
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS))
  const page = Math.min(pages, Math.max(1, Math.floor(Number(query.page)) || 1))
  const sort = sortOf(query)
  return {
    page,
    pages,
    rowCount: rows.length,
    /** The number of records. A record with amounts in several currencies has a row for each; a movement has one. */
    count: query.list === 'movements' ? rows.length : new Set(rows.map(({ path }) => path[1])).size,
    currencies: snapshot.currencies(),
    segmentKeys: snapshot.segmentKeys(),
    discountLabel: query.discount && snapshot.discountLabel(query.discount),
    comparedTitle: comparedTitle(query.list, columnsOf(query.list, query)),
    columns: columnsWithValues(columnsOf(query.list, query), rows),
    sort,
    /** Whether the rows are grouped by currency, in the order of the sums. */
    isGrouped: isSortedByAmount(rows, sort),
    movements: query.list === 'movements' ? movementChoices(snapshot, query, ofAllKinds) : undefined,
    currentMonth: snapshot.calendar.monthOf(snapshot.now),
    rows: rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS),
    sums: sumsOf(rows, snapshot.currencies()),
  }
}

export type ListPage = ReturnType<typeof listOf>

const csvFunctions = {
  customers: csvOfCustomers,
  invoices: csvOfInvoices,
  subscriptions: csvOfSubscriptions,
  movements: csvOfCustomers,
} as const satisfies Readonly<Record<ListName, typeof csvOfCustomers>>

/** All matching rows of a list as CSV. The chosen key of the metadata needs no column of its own in it. */
export const csvOf = (snapshot: Snapshot, query: ListQuery): CsvTable =>
  csvFunctions[query.list](
    snapshot,
    columnsOf(query.list, { ...query, by: undefined }),
    rowsOfKind(rowsOfAllKinds(snapshot, query), query),
  )
