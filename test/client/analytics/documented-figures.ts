import { readFileSync } from 'node:fs'
import type { Invoice, Line, Segmented } from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, type Price, priceOf, seconds } from './invoices.ts'

/** The histories of docs/figures.md and the figures that the documents expect of histories, which were worked out on paper. */

/** The expected figures of a history at a time. */
export interface ExpectedFigures {
  readonly now: number
  readonly timeZone: string
  /** The expected counts of the coverage, such as "1 emptyPeriods". */
  readonly reported: string
  /** The rows of the table of figures, by column. */
  readonly rows: readonly TableRow[]
}

export interface PaperHistory {
  readonly title: string
  readonly invoices: readonly Invoice[]
  /** The customers, with the countries that the rows name, such as "country DE". */
  readonly customers: readonly Segmented[]
  readonly expectations: readonly ExpectedFigures[]
}

/** The cells of a row of a Markdown table, by the headings of the columns. */
export type TableRow = Readonly<Record<string, string>>

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** Returns the rows of the first Markdown table in a text. */
const tableIn = (text: string): TableRow[] => {
  const [table = ''] = /(^\|.*\n)+/m.exec(text) ?? []
  const [head = '', _separator, ...rows] = table.trimEnd().split('\n')
  const headings = cellsOf(head)
  return rows.map((row) => {
    const cells = cellsOf(row)
    // A row may leave out the empty cells at its end.
    return Object.fromEntries(headings.map((heading, index) => [heading, cells[index] ?? '']))
  })
}

const minorUnits = (amount: string): number => Math.round(Number(amount) * 100)

/** The interval and its count for each word that the tables use. */
const intervals: Readonly<Record<string, Pick<Price, 'interval' | 'interval_count'>>> = {
  daily: { interval: 'day', interval_count: 1 },
  weekly: { interval: 'week', interval_count: 1 },
  monthly: { interval: 'month', interval_count: 1 },
  quarterly: { interval: 'month', interval_count: 3 },
  yearly: { interval: 'year', interval_count: 1 },
}

/** Returns the value of a detail in the column "details": "2" for "quantity" in "quantity 2, tax 3.00". */
const detailIn = (details: string, name: string): string | undefined =>
  new RegExp(`\\b${name} (\\S+?)(?:,|$)`).exec(details)?.[1]

const currencyIn = (details: string): string => (/(?:^|, )USD\b/.test(details) ? 'USD' : 'EUR')

/** Returns the price in the column "item", such as "part of Basic, monthly"; null for a text without a price. */
const priceIn = (item: string, details: string): Line['price'] => {
  const [, plan, frequency] = /^(?:.* (?:of|for) )?(.*), (\w+)$/.exec(item) ?? []
  if (plan === undefined) return null
  const price: Partial<Price> = {
    id: item,
    interval: null,
    interval_count: null,
    ...intervals[frequency!],
    price: minorUnits(detailIn(details, 'price') ?? '0'),
    currency: detailIn(details, 'priced in') ?? currencyIn(details),
    tiered: /\btiered\b/.test(details),
  }
  return priceOf(plan, price, `id of ${plan}`)
}

const periodIn = (text: string) => {
  const [start, end] = text.replaceAll(/[()]/g, '').split(' to ')
  return { period_start: seconds(start!), period_end: seconds(end!) }
}

const lineIn = ({ amount = '', item = '', period = '', details = '' }: TableRow): Line => {
  const price = priceIn(item, details)
  const isPartOfPeriod = / (of|for) /.test(item)
  const isRecurring = item === 'recurring' || (price?.interval && !isPartOfPeriod)
  // A period in brackets belongs to the invoice alone.
  const hasPeriod = period !== '' && !period.startsWith('(')
  return lineOf({
    amount: minorUnits(amount),
    discount_amount: minorUnits(detailIn(details, 'discount') ?? '0'),
    tax_amount: minorUnits(detailIn(details, 'tax') ?? '0'),
    price,
    quantity: Number(detailIn(details, 'quantity') ?? 1),
    type: isRecurring ? 'recurring' : 'one_time',
    interval: isRecurring && price ? price.interval : null,
    interval_count: isRecurring && price ? price.interval_count : null,
    ...(hasPeriod ? periodIn(period) : { period_start: null, period_end: null }),
  })
}

/** Returns the discount that a row names, such as "by Welcome, once" or "by Loyal, for 3 months". It holds forever by default. */
const discountsIn = (details: string): Invoice['discounts'] => {
  const name = detailIn(details, 'by')
  if (name === undefined) return []
  const months = /(?:^|, )for (\d+) months/.exec(details)?.[1]
  const durationOnce = /(?:^|, )once\b/.test(details) ? 'once' : 'forever'
  const discount = {
    id: name,
    name,
    duration: months ? 'repeating' : durationOnce,
    duration_in_months: months ? Number(months) : null,
  }
  return [discount as Invoice['discounts'][number]]
}

/** Returns the invoice of rows, one for each line. The first row has the fields of the invoice too. */
const invoiceIn = (rows: readonly TableRow[]): Invoice => {
  const [{ customer = '', created = '', period = '', details = '' } = {}] = rows
  const line_items = rows.filter(({ item }) => item !== 'no lines').map(lineIn)
  const sum = line_items.reduce((total, line) => total + line.amount! - line.discount_amount!, 0)
  const total = detailIn(details, 'total')
  const recorded = detailIn(details, 'recorded')
  return invoiceOf({
    created: seconds(created),
    ...periodIn(period === '' ? `${created} to ${created}` : period),
    currency: currencyIn(details),
    customer_id: customer,
    subscription_id: `${customer}'s ${detailIn(details, 'subscription') ?? 'first'}`,
    total: total === undefined ? sum : minorUnits(total),
    discounts: discountsIn(details),
    line_items,
    ...(recorded && { changed: seconds(recorded) }),
  })
}

/** Returns the customers whose country a row names. */
const customersIn = (rows: readonly TableRow[]): Segmented[] =>
  rows.flatMap(({ customer = '', details = '' }) => {
    const country = detailIn(details, 'country')
    return country ? [{ id: customer, metadata: { country } }] : []
  })

/** Returns the rows with the customer of each, whose name stands only in its first row. */
const withCustomers = (rows: readonly TableRow[]): TableRow[] => {
  let name = 'ann'
  return rows.map((row) => {
    name = row.customer || name
    return { ...row, customer: name }
  })
}

/**
 * Returns the invoices of a table. A row without a date is another line of the invoice above. Without a column for the date,
 * the lines of a subscription that begin together are one invoice, created at that time.
 */
const invoicesIn = (rows: readonly TableRow[]): Invoice[] => {
  let previous: string | undefined
  const rowsByInvoice: TableRow[][] = []
  for (const row of rows) {
    const [start = ''] = row.period!.replace('(', '').split(' to ')
    const key = [row.customer, detailIn(row.details ?? '', 'subscription'), start].join()
    if (row.created === undefined ? key === previous : row.created === '') rowsByInvoice.at(-1)!.push(row)
    else rowsByInvoice.push([{ created: start, ...row }])
    previous = key
  }
  return rowsByInvoice.map((rows, index) => ({ ...invoiceIn(rows), id: `inv_${index + 1}` }))
}

const only = (row: TableRow, columns: readonly string[]): TableRow =>
  Object.fromEntries(columns.map((column) => [column, row[column]!]))

/** The headings of columns with recurring revenue: at the end of a month, or on a date as it is seen then. */
export const isTime = (heading: string): boolean => /^\d{4}-\d\d/.test(heading)

/** Returns the expected rows of a table. In a table of lines, they are the revenue of each customer, or the reasons of its changes. */
const expectedRowsIn = (text: string): TableRow[] => {
  const rows = withCustomers(tableIn(text))
  const columns = Object.keys(rows[0] ?? {})
  const times = columns.filter(isTime)
  if (times.length > 0) {
    const firstRows = rows.filter(({ customer }, index) => customer !== rows[index - 1]?.customer)
    return firstRows.map((row) => only(row, ['customer', ...times]))
  }
  if (columns.includes('reason'))
    return rows
      .filter(({ reason }) => reason !== '')
      .map((row) =>
        only({ ...row, month: row.period!.slice(0, 'YYYY-MM'.length) }, [
          'customer',
          'month',
          'after',
          'reason',
        ]),
      )
  return tableIn(text)
}

/** Returns the expected figures in a text, one for each "Seen on DATE in ZONE, reported: COUNTS:" with the table below it. */
export const expectedFiguresIn = (text: string): ExpectedFigures[] =>
  text
    .split(/^Seen on /m)
    .slice(1)
    .map((passage) => {
      const [, now = '', timeZone = 'UTC', reported = ''] =
        /^(.*?)(?: in (\S+?))?(?:, reported: (.*))?:\n/.exec(passage) ?? []
      return { now: seconds(now), timeZone, reported, rows: expectedRowsIn(passage) }
    })

/** Returns the histories of docs/figures.md, and those that its readers do not need as examples. */
export const paperHistories = (): PaperHistory[] =>
  ['docs/figures.md', 'test/client/analytics/edge-cases.md']
    .flatMap((file) => readFileSync(file, 'utf8').split(/^### /m).slice(1))
    .map((text) => {
      const section = text.split(/^## /m)[0]!
      const title = section.split('\n')[0]!
      const rows = withCustomers(tableIn(section))
      return {
        title,
        invoices: invoicesIn(rows),
        customers: customersIn(rows),
        expectations: expectedFiguresIn(section),
      }
    })
