import { sum } from 'd3-array'
import { monthName } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { COUNTRY } from '../records/snapshot.ts'
import { type CsvTable, csvTable } from '../text/csv.ts'
import { percentText } from '../text/format.ts'
import { boundsOf, dayFrom, type Months, monthsFrom } from '../text/time-span.ts'
import { titleWithTimeZone } from '../text/time-zone.ts'
import { chosenCurrency, type FiguresQuery, monthsInCurrency } from './figures-query.ts'

/** The number of lines of the deferred revenue, and of late invoices, that the page shows. CSV has all lines. */
const SHOWN_ROWS = 50

export interface CloseQuery extends FiguresQuery {
  /** The month, quarter or year that is closed, as an address names it; by default the last month. */
  readonly close?: string | undefined
  /**
   * The last day whose records count, such as `2026-10-31`; by default, a closed month has what was recorded until it was
   * closed.
   */
  readonly recorded?: string | undefined
}

/** The end of the chosen day, or now if that is earlier: later records do not count. Undefined if no day was chosen. */
const recordedUntil = ({ calendar, now }: Snapshot, { recorded = '' }: CloseQuery): number | undefined => {
  const chosenDay = dayFrom(recorded)
  return chosenDay && Math.min(boundsOf(chosenDay, now, calendar).end - 1, now)
}

const closedMonths = ({ calendar, now }: Snapshot, { close = '' }: CloseQuery): Months =>
  monthsFrom(close) ?? { first: calendar.monthOf(now) - 1, count: 1 }

const isIn = ({ first, count }: Months, month: number): boolean => month >= first && month < first + count

const taxesOf = (snapshot: Snapshot, query: CloseQuery, currency: string) => {
  const months = closedMonths(snapshot, query)
  const records = snapshot
    .closeOf(recordedUntil(snapshot, query))
    .taxesBy(query.by ?? COUNTRY)
    .filter((record) => record.currency === currency && isIn(months, record.month))
  return [...Map.groupBy(records, ({ segment, rate }) => `${rate} ${segment}`).values()].map((group) => {
    const sumOf = (amountOf: (record: (typeof records)[number]) => number): number => sum(group, amountOf)
    const { segment, rate } = group[0]!
    return {
      segment,
      rate: rate === null ? 'not known' : percentText(rate),
      net: sumOf(({ net }) => net),
      tax: sumOf(({ tax }) => tax),
      total: sumOf(({ total }) => total),
      creditNotes: sumOf(({ creditNotes }) => creditNotes.total),
    }
  })
}

const deferredOf = (snapshot: Snapshot, query: CloseQuery, currency: string) => {
  const { first, count } = closedMonths(snapshot, query)
  const last = first + count - 1
  const known = snapshot.closeOf(recordedUntil(snapshot, query))
  const closedAt = monthsInCurrency(known.revenue(), currency)?.find(({ month }) => month === last)?.closedAt
  const lines = known
    .deferredLines(last, closedAt)
    .filter((line) => line.currency === currency)
    .sort((a, b) => b.deferred - a.deferred || b.unbilled - a.unbilled)
    .map((line) => ({ ...line, month: last, customer: snapshot.customerLabel(line.customer_id) }))
  return { lines, closedAt }
}

const changesOf = (snapshot: Snapshot, query: CloseQuery, currency: string) =>
  snapshot
    .closeOf(recordedUntil(snapshot, query))
    .changes()
    .filter((change) => change.currency === currency)
    .toReversed()
    .flatMap(({ month, invoices }) =>
      invoices.map((invoice) => ({
        ...invoice,
        month,
        customer: snapshot.customerLabel(invoice.customer_id),
      })),
    )

export const monthCloseOf = (snapshot: Snapshot, query: CloseQuery, currency: string) => {
  const until = recordedUntil(snapshot, query)
  const { lines, closedAt } = deferredOf(snapshot, query, currency)
  const changes = changesOf(snapshot, query, currency)
  const range = query.months ?? Number.POSITIVE_INFINITY
  return {
    months: closedMonths(snapshot, query),
    recordedUntil: until,
    closes: (monthsInCurrency(snapshot.closeOf(until).revenue(), currency) ?? []).slice(-range).toReversed(),
    taxes: taxesOf(snapshot, query, currency),
    deferred: {
      count: lines.length,
      deferred: sum(lines, (line) => line.deferred),
      unbilled: sum(lines, (line) => line.unbilled),
      recordedUntil: until ?? closedAt,
      lines: lines.slice(0, SHOWN_ROWS),
    },
    changes: { count: changes.length, rows: changes.slice(0, SHOWN_ROWS) },
  }
}

export interface CloseCsvQuery extends CloseQuery {
  readonly table: 'deferred' | 'changes'
}

const csvOfDeferred = (snapshot: Snapshot, query: CloseQuery, currency: string): CsvTable => {
  const { timeZone, dateOf } = snapshot
  return csvTable(deferredOf(snapshot, query, currency).lines, {
    [titleWithTimeZone('Month', timeZone)]: ({ month }) => monthName(month),
    Customer: ({ customer }) => customer,
    Plan: ({ plan }) => plan.name,
    Start: ({ start }) => dateOf(start),
    End: ({ end }) => dateOf(end),
    Currency: () => currency,
    Net: ({ net }) => ({ amount: net, currency }),
    Recognised: ({ recognised }) => ({ amount: recognised, currency }),
    Deferred: ({ deferred }) => ({ amount: deferred, currency }),
    Unbilled: ({ unbilled }) => ({ amount: unbilled, currency }),
    'Invoice id': ({ invoice_id }) => invoice_id,
    'Line id': ({ line_id }) => line_id,
  })
}

const csvOfChanges = (snapshot: Snapshot, query: CloseQuery, currency: string): CsvTable =>
  csvTable(changesOf(snapshot, query, currency), {
    [titleWithTimeZone('Month', snapshot.timeZone)]: ({ month }) => monthName(month),
    Customer: ({ customer }) => customer,
    Recorded: ({ recorded }) => snapshot.dateOf(recorded),
    Currency: () => currency,
    'Net of the invoice': ({ net }) => ({ amount: net, currency }),
    'Recognised for the month': ({ recognised }) => ({ amount: recognised, currency }),
    'Invoice id': ({ invoice_id }) => invoice_id,
  })

export const csvOfClose = (snapshot: Snapshot, { table, ...query }: CloseCsvQuery): CsvTable => {
  const currency = chosenCurrency(snapshot, query) ?? ''
  return table === 'deferred'
    ? csvOfDeferred(snapshot, query, currency)
    : csvOfChanges(snapshot, query, currency)
}
