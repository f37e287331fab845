import type { Snapshot } from '../records/snapshot.ts'
import { type Cell, csv } from '../text/csv.ts'
import { decimal } from '../text/format.ts'
import { titleWithTimeZone } from '../text/time-zone.ts'
import type { Column, Row } from './columns.ts'
import { isAmount } from './list-sort.ts'

/** A column of a CSV file. */
interface CsvColumn {
  readonly title: string
  readonly cell: (row: Row) => Cell
}

/** Returns the CSV columns of a column of a list. A period has two. */
const csvColumns = (column: Column, { dateOf, timeZone }: Snapshot): CsvColumn[] => {
  const { key, kind, title } = column
  const dateColumn = (heading: string, cellKey: string): CsvColumn => ({
    title: titleWithTimeZone(heading, timeZone),
    cell: ({ cells }) => {
      const value = cells[cellKey]
      return typeof value === 'number' ? dateOf(value) : ''
    },
  })
  if (kind === 'period') return [dateColumn('Period start', 'start'), dateColumn('Period end', 'end')]
  if (kind === 'day') return [dateColumn(title, key)]
  if (kind === 'money') return [{ title, cell: amountCell(key) }]
  return [{ title, cell: ({ cells }) => cells[key] }]
}

/**
 * Returns a function that returns the amount of a row. An amount in another currency than its row is a text with the currency, so
 * that a spreadsheet does not add it to the other amounts.
 */
const amountCell = (key: string) => (row: Row) => {
  const value = row.cells[key]
  if (!isAmount(value)) return null
  return value.currency === row.currency
    ? value
    : `${decimal(value.amount, value.currency)} ${value.currency}`
}

const CURRENCY: CsvColumn = { title: 'Currency', cell: ({ currency }) => currency }
const ID: CsvColumn = { title: 'Id', cell: ({ path }) => path[1] }

/** Returns the column of the customer's id: the user's own id, otherwise the service's. */
const customerIdColumn = (snapshot: Snapshot): CsvColumn => ({
  title: 'Customer id',
  cell: ({ customer }) => snapshot.customer(customer).external_id ?? customer,
})

const csvFrom = (columns: readonly CsvColumn[], rows: readonly Row[]): string =>
  csv(
    columns.map(({ title }) => title),
    rows.map((row) => columns.map(({ cell }) => cell(row))),
  )

/** Returns rows as CSV, with the currency of their amounts and the service's id. Dates are in the time zone of the page. */
export const csvOfRows = (snapshot: Snapshot, columns: readonly Column[], rows: readonly Row[]): string => {
  const ownColumns = columns.flatMap((column) => csvColumns(column, snapshot))
  return csvFrom([...ownColumns, CURRENCY, ID], rows)
}

/**
 * Returns subscriptions or expected renewals as CSV. Besides the columns of the list, it contains the id and the email address of
 * the customer, and the user's own id of the subscription.
 */
export const csvOfSubscriptions = (
  snapshot: Snapshot,
  columns: readonly Column[],
  rows: readonly Row[],
): string => {
  const email: CsvColumn = { title: 'Email', cell: ({ customer }) => snapshot.customer(customer).email }
  const ownId: CsvColumn = { title: 'Your id', cell: ({ path }) => snapshot.ownSubscriptionId(path[1]) }
  const csvColumnsOfList = columns.flatMap((column) => {
    const columnsOfCsv = csvColumns(column, snapshot)
    return column.key === 'customer' ? [...columnsOfCsv, customerIdColumn(snapshot), email] : columnsOfCsv
  })
  return csvFrom([...csvColumnsOfList, CURRENCY, ownId, ID], rows)
}

/** The columns of invoices in the order in which a tax adviser reads them. */
const invoiceOrder = ['external_id', 'created', 'customer', 'segment', 'net', 'tax', 'total']

/**
 * Returns invoices as CSV for a tax adviser: number, date, customer, customer id, segment (the country, if the customers' metadata
 * contains it), net, tax and total with their currency, period, all lines, the net amount of the lines that are not for a plan, and
 * discount.
 */
export const csvOfInvoices = (
  snapshot: Snapshot,
  columns: readonly Column[],
  rows: readonly Row[],
): string => {
  const columnsOfKey = (key: string): CsvColumn[] =>
    columns.filter((column) => column.key === key).flatMap((column) => csvColumns(column, snapshot))
  const oneOff: CsvColumn = { title: 'One-off, net', cell: amountCell('one_off') }
  const lines: CsvColumn = { title: 'Description', cell: ({ path }) => snapshot.linesText(path[1]) }
  const ordered = invoiceOrder.flatMap((key) =>
    key === 'customer' ? [...columnsOfKey(key), customerIdColumn(snapshot)] : columnsOfKey(key),
  )
  return csvFrom(
    [...ordered, CURRENCY, ...columnsOfKey('start'), lines, oneOff, ...columnsOfKey('discount'), ID],
    rows,
  )
}
