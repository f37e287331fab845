import { type Cell, csv } from '../text/csv.ts'
import { containing, fold } from '../text/fold.ts'
import { changedIn } from './changes.ts'
import { type Column, columns, type Listed, type Row } from './columns.ts'
import { monthOf, monthStart, weekStart } from './periods.ts'
import { customerRows, invoiceRow, subscriptionRows } from './rows.ts'
import type { Snapshot } from './snapshot.ts'

/** What a list asks for, as its address has it. */
export type ListQuery = Readonly<Record<string, string | undefined>> & { readonly list: Listed }

/** The rows of a page. */
export const PAGE_ROWS = 100

const invoiceRows = (snapshot: Snapshot, { currency, kind, within }: ListQuery): Row[] => {
  const starts: Readonly<Record<string, number>> = {
    week: weekStart(snapshot.now),
    month: monthStart(snapshot.now),
  }
  const from = starts[within ?? ''] ?? Number.NEGATIVE_INFINITY
  return snapshot.invoices
    .filter(
      (invoice) =>
        invoice.created >= from &&
        (from < 0 || invoice.created <= snapshot.now) &&
        (!currency || invoice.currency === currency) &&
        (kind !== 'credits' || invoice.total < 0),
    )
    .map((invoice) => invoiceRow(snapshot, invoice))
}

/** Returns the month of the changes that a list is asked for, by default the running one. */
const changeMonth = ({ now }: Snapshot, month: string | undefined): number =>
  month ? Number(month) : monthOf(now)

/** Returns the currency of a list: of customers that of most invoices, unless another is chosen. */
const currencyOf = (snapshot: Snapshot, { list, currency }: ListQuery): string =>
  currency || (list === 'customers' ? (snapshot.currencies()[0] ?? '') : '')

const rowsOfCustomers = (snapshot: Snapshot, query: ListQuery): Row[] => {
  const { moved, month } = query
  const shown = currencyOf(snapshot, query)
  const rows = customerRows(snapshot, shown)
  if (!moved) return rows
  const ids = changedIn(snapshot, shown, changeMonth(snapshot, month)).get(moved)
  return rows.filter(({ customer }) => ids?.has(customer))
}

const rowsOf: Readonly<Record<Listed, (snapshot: Snapshot, query: ListQuery) => Row[]>> = {
  customers: rowsOfCustomers,
  invoices: invoiceRows,
  subscriptions: (snapshot, { currency, kind }) =>
    snapshot
      .figures()
      .subscriptionsNow.filter(({ active }) => !kind || active === (kind === 'active'))
      .flatMap((subscription) => subscriptionRows(snapshot, subscription))
      .filter((row) => !currency || row.currency === currency),
}

const usualSort: Readonly<Record<Listed, string>> = {
  customers: '-since',
  invoices: '-created',
  subscriptions: '-since',
}

type Value = Row['cells'][string] | undefined

/** Orders numbers by size and texts as people do, without what is absent, which comes last. */
const compare = (collator: Intl.Collator, a: Value, b: Value): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

const sorted = (rows: readonly Row[], sort: string, currency: string): Row[] => {
  const key = sort.replace(/^-/, '')
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const present = rows.filter(({ cells }) => cells[key] != null)
  const sign = sort.startsWith('-') ? -1 : 1
  const isOther = (row: Row) => Number(row.currency !== currency)
  return [
    // Amounts of different currencies are not compared: those of a currency stay together, first those of the list's.
    ...present.sort(
      (a, b) =>
        (key === 'total' || key === 'monthly' || key === 'discount' || key === 'invoiced'
          ? isOther(a) - isOther(b) || collator.compare(a.currency, b.currency)
          : 0) || sign * compare(collator, a.cells[key], b.cells[key]),
    ),
    ...rows.filter(({ cells }) => cells[key] == null),
  ]
}

/** Returns all rows of a list, filtered and sorted. */
const chosenRows = (snapshot: Snapshot, query: ListQuery): Row[] => {
  const rows = rowsOf[query.list](snapshot, query)
  const matches = containing(query.text ?? '')
  const textOf = ({ customer, cells: { plan, what, external_id }, currency }: Row) =>
    `${snapshot.searchTextOf(customer)} ${fold([plan, what, external_id, currency].join(' '))}`
  const isMeant = (row: Row) => row.cells.id === query.text?.trim() || matches(textOf(row))
  const chosen = query.text ? rows.filter(isMeant) : rows
  return sorted(chosen, query.sort ?? usualSort[query.list], currencyOf(snapshot, query))
}

/** Returns a page of a list, and how many rows there are in all. */
export const listOf = (snapshot: Snapshot, query: ListQuery) => {
  const rows = chosenRows(snapshot, query)
  const last = Math.max(1, Math.ceil(rows.length / PAGE_ROWS))
  const page = Math.min(last, Math.max(1, Math.floor(Number(query.page)) || 1))
  return {
    page,
    pages: last,
    count: rows.length,
    currencies: snapshot.currencies(),
    currency: currencyOf(snapshot, query),
    sort: query.sort ?? usualSort[query.list],
    month: changeMonth(snapshot, query.month),
    isRunning: changeMonth(snapshot, query.month) === monthOf(snapshot.now),
    rows: rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS),
  }
}

export type ListPage = ReturnType<typeof listOf>

const date = (seconds: Value): string =>
  typeof seconds === 'number' ? new Date(seconds * 1000).toISOString().slice(0, 10) : ''

const cellsOf = ({ kind, key }: Column, { cells, currency }: Row): Cell[] => {
  const value = cells[key]
  if (kind === 'money') return [currency ? { amount: value as number, currency } : null]
  if (kind === 'period') return [date(cells.start), date(cells.end)]
  return [kind === 'day' ? date(value) : value]
}

/** Returns rows as CSV, with the currency of their amounts and the service's id of each. */
export const csvOfRows = (list: Listed, rows: readonly Row[]): string => {
  const of: readonly Column[] = columns[list]
  const titles = of.flatMap(({ kind, title }) =>
    kind === 'period' ? ['Period start', 'Period end'] : [title],
  )
  return csv(
    [...titles, 'Currency', 'Id'],
    rows.map((row) => [...of.flatMap((column) => cellsOf(column, row)), row.currency, row.path[1]]),
  )
}

/** Returns all rows of a list as CSV. */
export const csvOf = (snapshot: Snapshot, query: ListQuery): string =>
  csvOfRows(query.list, chosenRows(snapshot, query))
