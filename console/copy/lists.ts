import { type Amount, type Cell, csv } from '../text/csv.ts'
import { fold } from '../text/fold.ts'
import { decimal } from '../text/format.ts'
import { changedIn } from './changes.ts'
import { type Column, columns, type ListName, type Row } from './columns.ts'
import { monthOf, monthStart, WEEK, weekStart } from './periods.ts'
import { customerRows, invoiceRow, isOfKind, subscriptionRows } from './rows.ts'
import { meaning } from './search.ts'
import type { Snapshot } from './snapshot.ts'

/** What a list asks for, as its address has it. */
export type ListQuery = Readonly<Record<string, string | undefined>> & { readonly list: ListName }

export const PAGE_ROWS = 100

/** Returns the first second of a list's time span, and the second after its last: of this week, this month, or a month by number. */
const spanOf = ({ now }: Snapshot, within = ''): readonly [from: number, over: number] => {
  if (within === 'week') return [weekStart(now), weekStart(now) + WEEK]
  const month = within === 'month' ? monthOf(now) : Number(within || Number.NaN)
  if (Number.isNaN(month)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  return [monthStart(month), monthStart(month + 1)]
}

const invoiceRows = (snapshot: Snapshot, { currency, kind, within }: ListQuery): Row[] => {
  const [from, over] = spanOf(snapshot, within)
  return snapshot.invoices
    .filter(
      (invoice) =>
        invoice.created >= from &&
        invoice.created < over &&
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

const rowsOf: Readonly<Record<ListName, (snapshot: Snapshot, query: ListQuery) => Row[]>> = {
  customers: rowsOfCustomers,
  invoices: invoiceRows,
  subscriptions: (snapshot, { currency, kind }) =>
    snapshot
      .figures()
      .subscriptionsNow.filter((subscription) => !kind || isOfKind(subscription, kind, snapshot.now))
      .flatMap((subscription) => subscriptionRows(snapshot, subscription))
      .filter((row) => !currency || row.currency === currency),
}

const usualSort: Readonly<Record<ListName, string>> = {
  customers: '-since',
  invoices: '-created',
  subscriptions: '-since',
}

type Value = Row['cells'][string] | undefined

const isAmount = (value: Value): value is Amount => typeof value === 'object' && value !== null

const sorted = (rows: readonly Row[], sort: string, currency: string): Row[] => {
  const key = sort.replace(/^-/, '')
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const sign = sort.startsWith('-') ? -1 : 1
  const isOther = (amount: Amount) => Number(amount.currency !== currency)
  /** Orders numbers by size and texts as people do. */
  const compare = (a: Value, b: Value): number => {
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
    if (!isAmount(a) || !isAmount(b)) return sign * collator.compare(String(a), String(b))
    // Amounts of different currencies are not compared: those of a currency stay together, first those of the list's.
    const byCurrency = isOther(a) - isOther(b) || collator.compare(a.currency, b.currency)
    return byCurrency || sign * (a.amount - b.amount)
  }
  return [
    ...rows.filter(({ cells }) => cells[key] != null).sort((a, b) => compare(a.cells[key], b.cells[key])),
    // What is absent comes last.
    ...rows.filter(({ cells }) => cells[key] == null),
  ]
}

/** Returns the text of a row that a filter searches: for customers that of the search, whose results the list continues. */
const textOf = (snapshot: Snapshot, list: ListName, { customer, cells, currency }: Row): string => {
  const { plan, what, external_id } = cells
  const ofCustomer = snapshot.searchTextOf(customer)
  return list === 'customers'
    ? ofCustomer
    : `${ofCustomer} ${fold([plan, what, external_id, currency].join(' '))}`
}

const chosenRows = (snapshot: Snapshot, query: ListQuery): Row[] => {
  const rows = rowsOf[query.list](snapshot, query)
  const isMeant = meaning(query.text ?? '')
  const chosen = query.text
    ? rows.filter((row) => isMeant(textOf(snapshot, query.list, row), row.path[1]))
    : rows
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
  // An amount in another currency than that of its row names it, and is no number to be added to the others.
  if (isAmount(value) && value.currency !== currency)
    return [`${decimal(value.amount, value.currency)} ${value.currency}`]
  if (kind === 'money') return [currency ? value : null]
  if (kind === 'period') return [date(cells.start), date(cells.end)]
  return [kind === 'day' ? date(value) : value]
}

/** Returns rows as CSV, with the currency of their amounts and the service's id of each. */
export const csvOfRows = (of: readonly Column[], rows: readonly Row[]): string => {
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
  csvOfRows(columns[query.list], chosenRows(snapshot, query))
