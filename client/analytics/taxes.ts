import type { Dataset } from './dataset.ts'
import { visitBilled } from './invoiced.ts'
import { monthName } from './lines/calendar.ts'
import { compareTexts } from './lines/groups.ts'
import type { Invoice, Month } from './lines/invoice.ts'
import type { NetLine } from './lines/net-lines.ts'
import { firstOfQuarter } from './months.ts'
import type { BySegment } from './segments.ts'
import type { CalendarMonth, TaxedAmounts, TaxRecord, UntaxedInvoice } from './types.ts'

/** Returns the tax of a line; null if it is unknown, as for an invoice without lines. */
const taxOf = ({ line }: NetLine): number | null => (line ? (line.tax_amount ?? 0) : null)

/** Rates are compared as integers: their number of half percents. */
const HALF_PERCENTS = 200

/** Returns whether a rate explains a tax to a minor unit. */
const fits = (halfPercents: number, net: number, tax: number): boolean =>
  Math.abs((net * halfPercents) / HALF_PERCENTS - tax) <= 1

/** Returns the only rate that explains a tax to a minor unit; undefined if none does, or several do, as for a small amount. */
const onlyRate = (net: number, tax: number): number | undefined => {
  const nearest = Math.round((tax / net) * HALF_PERCENTS)
  const isOnly = !fits(nearest - 1, net, tax) && !fits(nearest + 1, net, tax)
  return isOnly && fits(nearest, net, tax) ? nearest : undefined
}

/** The rates of each segment, in half percents, with the number of lines that only they explain. */
type KnownRates = ReadonlyMap<string, ReadonlyMap<number, number>>

const knownRatesIn = (dataset: Dataset, { segmentOf }: BySegment): KnownRates => {
  const segments = new Map<string, Map<number, number>>()
  visitBilled(dataset, (line) => {
    const tax = taxOf(line)
    const rate = tax && line.net ? onlyRate(line.net, tax) : undefined
    if (rate === undefined) return
    const segment = segmentOf(line.invoice.customer_id)
    const rates = segments.get(segment) ?? new Map<number, number>()
    segments.set(segment, rates.set(rate, (rates.get(rate) ?? 0) + 1))
  })
  return segments
}

/**
 * Returns the rate of a line: tax ÷ net, to the nearest half percent where that explains the tax to a minor unit, else to a tenth of
 * a percent. Of several half percents that explain it, it is the one that most other lines of the segment have.
 */
const rateOf = (line: NetLine, known: ReadonlyMap<number, number> = new Map()): number | null => {
  const { net } = line
  const tax = taxOf(line)
  if (tax === 0) return 0
  if (tax === null || net === 0 || tax / net < 0) return null
  const fitting = [...known]
    .filter(([rate]) => fits(rate, net, tax))
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
  const nearest = fitting[0]?.[0] ?? Math.round((tax / net) * HALF_PERCENTS)
  return fits(nearest, net, tax) ? nearest / HALF_PERCENTS : Math.round((tax / net) * 1000) / 1000
}

/** Returns a function that returns the rates of an invoice's lines, each once. A rate that is not known is null. */
export const taxRatesIn = (dataset: Dataset, by: BySegment): ((invoice: Invoice) => (number | null)[]) => {
  const known = knownRatesIn(dataset, by)
  return (invoice) => {
    const rates = new Set<number | null>()
    visitBilled(dataset.only([invoice]), (line) => {
      if (line.net !== 0 || taxOf(line)) rates.add(rateOf(line, known.get(by.segmentOf(invoice.customer_id))))
    })
    return [...rates]
  }
}

/** The invoices, or the credit notes, of a record while they are added up. Lines of an invoice come one after the other. */
class TaxSums {
  #count = 0
  #net = 0
  #tax = 0
  #latest: Invoice | undefined

  add(line: NetLine): void {
    if (line.invoice !== this.#latest) this.#count += 1
    this.#latest = line.invoice
    this.#net += line.net
    this.#tax += taxOf(line) ?? 0
  }

  get amounts(): TaxedAmounts {
    return { count: this.#count, net: this.#net, tax: this.#tax, total: this.#net + this.#tax }
  }
}

/** Returns the month itself, as a period of the records. */
export const monthOf = (month: Month): CalendarMonth => ({ month, name: monthName(month) })

/** Returns the quarter of a month, such as "2026-Q4", with its first month. */
export const quarterOf = (month: Month): CalendarMonth => {
  const first = firstOfQuarter(month)
  const [year, number] = monthName(first).split('-')
  return { month: first, name: `${year}-Q${(Number(number) + 2) / 3}` }
}

/** Returns net, tax and total by period, currency, segment and rate. */
export const taxRecords = (
  dataset: Dataset,
  by: BySegment,
  periodOf: (month: Month) => CalendarMonth,
): TaxRecord[] => {
  const known = knownRatesIn(dataset, by)
  const records = new Map<
    string,
    {
      readonly row: Pick<TaxRecord, 'month' | 'name' | 'currency' | 'segment' | 'rate'>
      readonly invoices: TaxSums
      readonly creditNotes: TaxSums
    }
  >()
  visitBilled(dataset, (line) => {
    if (line.net === 0 && !taxOf(line)) return
    const segment = by.segmentOf(line.invoice.customer_id)
    const row = {
      ...periodOf(dataset.calendar.monthOf(line.invoice.created)),
      currency: line.currency,
      segment,
      rate: rateOf(line, known.get(segment)),
    }
    const key = `${row.name} ${row.currency} ${row.rate} ${segment}`
    const sums = records.get(key) ?? { row, invoices: new TaxSums(), creditNotes: new TaxSums() }
    records.set(key, sums)
    const kind = line.invoice.total < 0 ? 'creditNotes' : 'invoices'
    sums[kind].add(line)
  })
  return [...records.values()]
    .map(({ row, ...sums }) => {
      const invoices = sums.invoices.amounts
      const creditNotes = sums.creditNotes.amounts
      const net = invoices.net + creditNotes.net
      const tax = invoices.tax + creditNotes.tax
      return { ...row, invoices, creditNotes, net, tax, total: net + tax }
    })
    .sort(byPeriod)
}

const byPeriod = (a: TaxRecord, b: TaxRecord): number =>
  a.month - b.month ||
  compareTexts(a.currency, b.currency) ||
  compareTexts(a.segment, b.segment) ||
  (b.rate ?? -1) - (a.rate ?? -1)

/** Returns the invoices with a line without tax, and the net of these lines in each currency. */
export const untaxedIn = (dataset: Dataset): UntaxedInvoice[] => {
  const untaxed = new Map<string, UntaxedInvoice>()
  visitBilled(dataset, (line) => {
    const { invoice, currency, net } = line
    if (taxOf(line) || net === 0) return
    const { id, customer_id, created } = invoice
    const month = dataset.calendar.monthOf(created)
    const key = `${id} ${currency}`
    const before = untaxed.get(key)?.net ?? 0
    untaxed.set(key, { invoice_id: id, customer_id, created, month, currency, net: before + net })
  })
  return [...untaxed.values()].sort(
    (a, b) => a.created - b.created || compareTexts(a.invoice_id, b.invoice_id),
  )
}
