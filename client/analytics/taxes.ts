import type { Dataset } from './dataset.ts'
import { monthName } from './lines/calendar.ts'
import type { Invoice, Month } from './lines/invoice.ts'
import { currencyOf, linesOf } from './lines/line-properties.ts'
import type { BySegment } from './segments.ts'
import type { TaxedAmounts, TaxRecord, UntaxedInvoice } from './types.ts'

/** A line with its tax. Amounts are in minor units of its currency. */
interface TaxedLine {
  readonly invoice: Invoice
  readonly currency: string
  readonly net: number
  /** Null if it is unknown, as that of an invoice without lines. */
  readonly tax: number | null
}

/** Calls `visit` with each line of the invoices up to the current month. No list is made, since it would be longer than theirs. */
const visitTaxed = (
  { invoices, conventions, calendar, currentMonth }: Dataset,
  visit: (line: TaxedLine, month: Month) => void,
): void => {
  for (const invoice of invoices) {
    const month = calendar.monthOf(invoice.created)
    if (month > currentMonth) continue
    const lines = linesOf(invoice)
    if (lines.length === 0)
      visit({ invoice, currency: invoice.currency, net: invoice.total, tax: null }, month)
    const netAmountOf = conventions.netAmounts(invoice)
    for (const line of lines) {
      const tax = line.tax_amount ?? 0
      visit({ invoice, currency: currencyOf(line, invoice), net: netAmountOf(line), tax }, month)
    }
  }
}

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
  visitTaxed(dataset, ({ invoice, net, tax }) => {
    const rate = tax && net ? onlyRate(net, tax) : undefined
    if (rate === undefined) return
    const segment = segmentOf(invoice.customer_id)
    const rates = segments.get(segment) ?? new Map<number, number>()
    segments.set(segment, rates.set(rate, (rates.get(rate) ?? 0) + 1))
  })
  return segments
}

/**
 * Returns the rate of a line: tax ÷ net, to the nearest half percent where that explains the tax to a minor unit, else to a tenth of
 * a percent. Of several half percents that explain it, it is the one that most other lines of the segment have.
 */
const rateOf = ({ net, tax }: TaxedLine, known: ReadonlyMap<number, number> = new Map()): number | null => {
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
    visitTaxed(dataset.only([invoice]), (line) => {
      if (line.net !== 0 || line.tax) rates.add(rateOf(line, known.get(by.segmentOf(invoice.customer_id))))
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

  add({ invoice, net, tax }: TaxedLine): void {
    if (invoice !== this.#latest) this.#count += 1
    this.#latest = invoice
    this.#net += net
    this.#tax += tax ?? 0
  }

  get amounts(): TaxedAmounts {
    return { count: this.#count, net: this.#net, tax: this.#tax, total: this.#net + this.#tax }
  }
}

interface Period {
  readonly month: Month
  readonly name: string
}

/** Returns the month itself, as a period of the records. */
export const monthOf = (month: Month): Period => ({ month, name: monthName(month) })

/** Returns the quarter of a month, such as "2026-Q4", with its first month. */
export const quarterOf = (month: Month): Period => {
  const first = Math.floor(month / 3) * 3
  const year = monthName(first).slice(0, 4)
  return { month: first, name: `${year}-Q${(first - Math.floor(first / 12) * 12) / 3 + 1}` }
}

/** Returns net, tax and total by period, currency, segment and rate. */
export const taxRecords = (
  dataset: Dataset,
  by: BySegment,
  periodOf: (month: Month) => Period,
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
  visitTaxed(dataset, (line, month) => {
    if (line.net === 0 && !line.tax) return
    const segment = by.segmentOf(line.invoice.customer_id)
    const row = {
      ...periodOf(month),
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

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const byPeriod = (a: TaxRecord, b: TaxRecord): number =>
  a.month - b.month ||
  compareTexts(a.currency, b.currency) ||
  compareTexts(a.segment, b.segment) ||
  (b.rate ?? -1) - (a.rate ?? -1)

/** Returns the invoices with a line without tax, and the net of these lines in each currency. */
export const untaxedIn = (dataset: Dataset): UntaxedInvoice[] => {
  const untaxed = new Map<string, UntaxedInvoice>()
  visitTaxed(dataset, ({ invoice, currency, net, tax }, month) => {
    if (tax || net === 0) return
    const { id, customer_id, created } = invoice
    const key = `${id} ${currency}`
    const before = untaxed.get(key)?.net ?? 0
    untaxed.set(key, { invoice_id: id, customer_id, created, month, currency, net: before + net })
  })
  return [...untaxed.values()].sort(
    (a, b) => a.created - b.created || compareTexts(a.invoice_id, b.invoice_id),
  )
}
