import { monthName } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { COUNTRY } from '../records/snapshot.ts'
import type { CsvTable } from '../text/csv.ts'
import { percent } from '../text/format.ts'
import { type Months, monthsFrom } from '../text/time-span.ts'
import { titleWithTimeZone } from '../text/time-zone.ts'
import { chosenCurrency, type FiguresQuery, monthsInCurrency } from './figures-query.ts'

/** The number of lines of the deferred revenue, and of late invoices, that the page shows. CSV has all lines. */
const SHOWN_ROWS = 50

/** The query of the close of a month. */
export interface CloseQuery extends FiguresQuery {
  /** The month, quarter or year that is closed, as an address names it; by default the last month. */
  readonly close?: string | undefined
}

const closedMonths = ({ calendar, now }: Snapshot, { close = '' }: CloseQuery): Months =>
  monthsFrom(close) ?? { first: calendar.monthOf(now) - 1, count: 1 }

const isIn = ({ first, count }: Months, month: number): boolean => month >= first && month < first + count

/** Returns net, tax and total of the months by country, or by another key of the metadata, and by rate. */
const taxesOf = (snapshot: Snapshot, query: CloseQuery, currency: string) => {
  const months = closedMonths(snapshot, query)
  const records = snapshot
    .taxesBy(query.by ?? COUNTRY)
    .filter((record) => record.currency === currency && isIn(months, record.month))
  return [...Map.groupBy(records, ({ segment, rate }) => `${rate} ${segment}`).values()].map((group) => {
    const sumOf = (amountOf: (record: (typeof records)[number]) => number): number =>
      group.reduce((sum, record) => sum + amountOf(record), 0)
    const { segment, rate } = group[0]!
    return {
      segment,
      rate: rate === null ? 'not known' : percent(rate),
      net: sumOf(({ net }) => net),
      tax: sumOf(({ tax }) => tax),
      total: sumOf(({ total }) => total),
      /** The part of the total that is of credit notes. */
      creditNotes: sumOf(({ creditNotes }) => creditNotes.total),
    }
  })
}

/** Returns the lines of which something is deferred or unbilled at the end of the closed months, the largest first. */
const linesOf = (snapshot: Snapshot, query: CloseQuery, currency: string) => {
  const { first, count } = closedMonths(snapshot, query)
  const last = first + count - 1
  const closes = monthsInCurrency(snapshot.revenueAsClosed(), currency)
  const closedAt = closes?.find(({ month }) => month === last)?.closedAt
  return snapshot
    .deferredLines(last, closedAt)
    .filter((line) => line.currency === currency)
    .sort((a, b) => b.deferred - a.deferred || b.unbilled - a.unbilled)
}

/** Returns what an accountant needs to close months in one currency. */
export const monthCloseOf = (snapshot: Snapshot, query: CloseQuery, currency: string) => {
  const months = closedMonths(snapshot, query)
  const lines = linesOf(snapshot, query, currency)
  const range = query.months ?? Number.POSITIVE_INFINITY
  return {
    months,
    /** The months as they were closed, the latest first. */
    closes: (monthsInCurrency(snapshot.revenueAsClosed(), currency) ?? []).slice(-range).toReversed(),
    taxes: taxesOf(snapshot, query, currency),
    deferred: {
      count: lines.length,
      deferred: lines.reduce((sum, line) => sum + line.deferred, 0),
      unbilled: lines.reduce((sum, line) => sum + line.unbilled, 0),
      lines: lines
        .slice(0, SHOWN_ROWS)
        .map((line) => ({ ...line, customer: snapshot.customerLabel(line.customer_id) })),
    },
    /** What was recorded after months were closed, the latest month first: a row for each invoice. */
    changes: snapshot
      .changesToClosedMonths()
      .filter((change) => change.currency === currency)
      .toReversed()
      .flatMap(({ month, invoices }) =>
        invoices.map((invoice) => ({
          ...invoice,
          month,
          customer: snapshot.customerLabel(invoice.customer_id),
        })),
      )
      .slice(0, SHOWN_ROWS),
  }
}

/** Returns all lines that make up the deferred and unbilled revenue at the end of the closed months as CSV. */
export const csvOfDeferred = (snapshot: Snapshot, query: CloseQuery): CsvTable => {
  const currency = chosenCurrency(snapshot, query)
  const lines = currency === undefined ? [] : linesOf(snapshot, query, currency)
  const { timeZone, dateOf } = snapshot
  const { first, count } = closedMonths(snapshot, query)
  return {
    columns: [
      titleWithTimeZone('Month', timeZone),
      'Customer',
      'Plan',
      'Start',
      'End',
      'Currency',
      'Net',
      'Recognised',
      'Deferred',
      'Unbilled',
      'Invoice id',
      'Line id',
    ],
    rows: lines.map((line) => [
      monthName(first + count - 1),
      snapshot.customerLabel(line.customer_id),
      line.plan.name,
      dateOf(line.start),
      dateOf(line.end),
      line.currency,
      ...[line.net, line.recognised, line.deferred, line.unbilled].map((amount) => ({
        amount,
        currency: line.currency,
      })),
      line.invoice_id,
      line.line_id,
    ]),
  }
}
