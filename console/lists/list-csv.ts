import type { Snapshot } from '../records/snapshot.ts'
import { type Cell, csv } from '../text/csv.ts'
import { decimal } from '../text/format.ts'
import { titleWithTimeZone } from '../text/time-zone.ts'
import type { Column, Row } from './columns.ts'
import { isAmount } from './list-sort.ts'

/** A column of a file. */
interface FileColumn {
  readonly title: string
  readonly cell: (row: Row) => Cell
}

const fileColumns = (column: Column, { dateOf, timeZone }: Snapshot): FileColumn[] => {
  const { key, kind, title } = column
  const dates = (heading: string, name: string): FileColumn => ({
    title: titleWithTimeZone(heading, timeZone),
    cell: ({ cells }) => {
      const value = cells[name]
      return typeof value === 'number' ? dateOf(value) : ''
    },
  })
  if (kind === 'period') return [dates('Period start', 'start'), dates('Period end', 'end')]
  if (kind === 'day') return [dates(title, key)]
  if (kind === 'money') return [{ title, cell: amountCell(key) }]
  return [{ title, cell: ({ cells }) => cells[key] }]
}

/** An amount in another currency than that of its row names it, and is no number to be added to the others. */
const amountCell = (key: string) => (row: Row) => {
  const value = row.cells[key]
  if (!isAmount(value)) return null
  return value.currency === row.currency
    ? value
    : `${decimal(value.amount, value.currency)} ${value.currency}`
}

const CURRENCY: FileColumn = { title: 'Currency', cell: ({ currency }) => currency }
const ID: FileColumn = { title: 'Id', cell: ({ path }) => path[1] }

const textOf = (columns: readonly FileColumn[], rows: readonly Row[]): string =>
  csv(
    columns.map(({ title }) => title),
    rows.map((row) => columns.map(({ cell }) => cell(row))),
  )

/** Returns rows as CSV, with the currency of their amounts and the service's id of each. Dates are in the time zone of the page. */
export const csvOfRows = (snapshot: Snapshot, columns: readonly Column[], rows: readonly Row[]): string => {
  const all = columns.flatMap((column) => fileColumns(column, snapshot))
  return textOf([...all, CURRENCY, ID], rows)
}

/** The columns of invoices in the order in which a tax adviser reads them. */
const invoiceOrder = ['external_id', 'created', 'customer', 'segment', 'net', 'tax', 'total']

/**
 * Returns invoices as CSV for a tax adviser: number, date, customer and their id, the segment (the country, if the customers'
 * metadata has it), net, tax and total with their currency, the period, and all lines.
 */
export const csvOfInvoices = (
  snapshot: Snapshot,
  columns: readonly Column[],
  rows: readonly Row[],
): string => {
  const filesOf = (key: string): FileColumn[] =>
    columns.filter((column) => column.key === key).flatMap((column) => fileColumns(column, snapshot))
  const customerId: FileColumn = {
    title: 'Customer id',
    cell: ({ customer }) => snapshot.customer(customer).external_id ?? customer,
  }
  const lines: FileColumn = { title: 'What', cell: ({ path }) => snapshot.linesText(path[1]) }
  const ordered = invoiceOrder.flatMap((key) =>
    key === 'customer' ? [...filesOf(key), customerId] : filesOf(key),
  )
  return textOf([...ordered, CURRENCY, ...filesOf('start'), lines, ...filesOf('discount'), ID], rows)
}
