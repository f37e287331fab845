import { monthName } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import type { Cell, CsvTable } from '../text/csv.ts'
import { decimal } from '../text/format.ts'
import { titleWithTimeZone } from '../text/time-zone.ts'
import type { ListColumn, ListRow } from './columns.ts'
import { isAmount } from './list-sort.ts'

interface CsvColumn {
  readonly title: string
  readonly cell: (row: ListRow) => Cell
}

/** Returns the CSV columns of a column of a list. A period has two. */
const csvColumns = (column: ListColumn, { dateOf, timeZone }: Snapshot): CsvColumn[] => {
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
  if (kind === 'month') return [{ title, cell: monthCell(key) }]
  if (kind === 'money') return [{ title, cell: amountCell(key) }]
  return [{ title, cell: ({ cells }) => cells[key] }]
}

/** An amount in another currency than its row is a text with the currency, so that a spreadsheet does not add it up. */
const amountCell = (key: string) => (row: ListRow) => {
  const value = row.cells[key]
  if (!isAmount(value)) return null
  return value.currency === row.currency
    ? value
    : `${decimal(value.amount, value.currency)} ${value.currency}`
}

const monthCell = (key: string) => (row: ListRow) => {
  const value = row.cells[key]
  return typeof value === 'number' ? monthName(value) : null
}

const CURRENCY: CsvColumn = { title: 'Currency', cell: ({ currency }) => currency }
const ID: CsvColumn = { title: 'Id', cell: ({ path }) => path[1] }

const csvFrom = (columns: readonly CsvColumn[], rows: readonly ListRow[]): CsvTable => ({
  columns: columns.map(({ title }) => title),
  rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
})

const metadataCell = (value: unknown): Cell => {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  return JSON.stringify(value)
}

/** More keys of the metadata than this have one column together: a row that has few of thousands would be mostly separators. */
const MAX_METADATA_COLUMNS = 200

/** The columns of the keys of the customers' metadata. Their titles say so where another column has the same. */
const metadataColumns = (snapshot: Snapshot, others: readonly CsvColumn[]): CsvColumn[] => {
  const keys = snapshot.metadataKeys()
  const ownKeys = keys.slice(0, MAX_METADATA_COLUMNS)
  const otherKeys = new Set(keys.slice(MAX_METADATA_COLUMNS))
  const metadataOf = (row: ListRow) => snapshot.customer(row.customer).metadata ?? {}
  const otherMetadata: CsvColumn = {
    title: 'Other metadata',
    cell: (row) => {
      const entries = Object.entries(metadataOf(row)).filter(([key]) => otherKeys.has(key))
      return entries.length > 0 ? JSON.stringify(Object.fromEntries(entries)) : null
    },
  }
  const following = otherKeys.size > 0 ? [otherMetadata] : []
  const titles = new Set([...others, ...following].map(({ title }) => title.toLowerCase()))
  const columns = ownKeys.map((key) => ({
    title: titles.has(key.toLowerCase()) ? `${key} (metadata)` : key,
    cell: (row: ListRow) => metadataCell(metadataOf(row)[key]),
  }))
  return [...columns, ...following]
}

/** The customer's id and email address. The id is the one that the user gave or, if there is none, that of the service. */
const customerColumns = (snapshot: Snapshot): CsvColumn[] => [
  { title: 'Customer id', cell: ({ customer }) => snapshot.customer(customer).external_id ?? customer },
  { title: 'Email', cell: ({ customer }) => snapshot.customer(customer).email },
]

const columnsWithCustomer = (snapshot: Snapshot, columns: readonly ListColumn[]): CsvColumn[] =>
  columns.flatMap((column) => {
    const columnsOfCsv = csvColumns(column, snapshot)
    return column.key === 'customer' ? [...columnsOfCsv, ...customerColumns(snapshot)] : columnsOfCsv
  })

export const csvOfCustomers = (
  snapshot: Snapshot,
  columns: readonly ListColumn[],
  rows: readonly ListRow[],
): CsvTable => {
  const shared = [...columnsWithCustomer(snapshot, columns), CURRENCY]
  return csvFrom([...shared, ...metadataColumns(snapshot, shared), ID], rows)
}

export const csvOfSubscriptions = (
  snapshot: Snapshot,
  columns: readonly ListColumn[],
  rows: readonly ListRow[],
): CsvTable => {
  const ownId: CsvColumn = { title: 'Your id', cell: ({ path }) => snapshot.ownSubscriptionId(path[1]) }
  const shared = [...columnsWithCustomer(snapshot, columns), CURRENCY, ownId]
  return csvFrom([...shared, ...metadataColumns(snapshot, shared), ID], rows)
}

/** The columns of invoices in the order in which a tax adviser reads them. */
const invoiceOrder = ['external_id', 'created', 'customer', 'net', 'tax', 'total']

/** The invoices as a tax adviser reads them. The rate is a number, or a text if the lines of the invoice have several. */
export const csvOfInvoices = (
  snapshot: Snapshot,
  columns: readonly ListColumn[],
  rows: readonly ListRow[],
): CsvTable => {
  const columnsOfKey = (key: string): CsvColumn[] =>
    columns.filter((column) => column.key === key).flatMap((column) => csvColumns(column, snapshot))
  const rate: CsvColumn = { title: 'Tax rate %', cell: ({ path }) => ratesCell(snapshot.taxRates(path[1])) }
  const oneOff: CsvColumn = { title: 'One-off, net', cell: amountCell('one_off') }
  const lines: CsvColumn = { title: 'Description', cell: ({ path }) => snapshot.linesText(path[1]) }
  const following: Readonly<Record<string, readonly CsvColumn[]>> = {
    customer: customerColumns(snapshot),
    net: [rate],
  }
  const ordered = invoiceOrder.flatMap((key) => [...columnsOfKey(key), ...(following[key] ?? [])])
  const further = [...columnsOfKey('start'), lines, oneOff, ...columnsOfKey('discount')]
  const placed = new Set([...invoiceOrder, 'start', 'what', 'discount'])
  const others = columns
    .filter(({ key }) => !placed.has(key))
    .flatMap((column) => csvColumns(column, snapshot))
  const shared = [...ordered, CURRENCY, ...further, ...others]
  return csvFrom([...shared, ...metadataColumns(snapshot, shared), ID], rows)
}

/** Returns rates of tax in percent as a cell: the only one as a number, several as a text, and nothing if one is unknown. */
const ratesCell = (rates: readonly (number | null)[]): Cell => {
  const percents = rates.flatMap((rate) => (rate === null ? [] : [Math.round(rate * 1000) / 10]))
  if (percents.length < rates.length || percents.length === 0) return null
  return percents.length === 1 ? percents[0] : percents.join(' + ')
}
