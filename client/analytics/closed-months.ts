import { Dataset } from './dataset.ts'
import { BillingConventions } from './lines/billing-conventions.ts'
import { type Calendar, calendarOf, DAY, monthName } from './lines/calendar.ts'
import { byCurrency, compareTexts, groupsOf, SumsByCurrency, sumOf } from './lines/groups.ts'
import type { Invoice, Month } from './lines/invoice.ts'
import { visitNets } from './lines/net-lines.ts'
import { type RecognisedLine, visitRecognised } from './lines/recognised-lines.ts'
import { monthlySum, spansAt } from './lines/spans.ts'
import { recordsByMonth } from './months.ts'
import { endsOf, Recognition, recognisedUntil } from './recognition.ts'
import type { ClosedMonthChanges, CurrencyMonths, LateInvoice, RevenueAsClosed } from './types.ts'

/** Months are closed three days after their end, when late renewals are known. What is recorded later does not change them. */

/** When an invoice was recorded: when the service says so, but not before it was created. */
const recordedAt = ({ created, changed = created }: Invoice): number => Math.max(created, changed)

/** Returns the invoices that were recorded by a time, that second included. */
export const recordedBy = (invoices: readonly Invoice[], time: number): readonly Invoice[] =>
  invoices.filter((invoice) => recordedAt(invoice) <= time)

const closingTimeIn = (month: Month, calendar: Calendar): number => calendar.startOf(month + 1) + 3 * DAY - 1

/**
 * Returns the last second whose records a month has once it is closed: that of the third day after its end. Any figure of the month
 * as closed is the one with this time as `now` and as `recordedUntil`.
 * @example const closed = closingTime(month, 'UTC'); const figures = figuresOf(invoices, closed, { recordedUntil: closed })
 */
export const closingTime = (month: Month, timeZone = 'UTC'): number =>
  closingTimeIn(month, calendarOf(timeZone))

/** The closings of the months of results. Months that ended before anything was recorded were never closed. */
class Closings {
  readonly #months: readonly Month[]
  readonly #times: readonly number[]
  readonly #first: number
  readonly #now: number

  constructor({ months, calendar, invoices, now }: Dataset) {
    this.#months = months
    this.#times = months.map((month) => closingTimeIn(month, calendar))
    this.#now = now
    const earliest = invoices.reduce((least, invoice) => Math.min(least, recordedAt(invoice)), now)
    this.#first = this.#indexOf(earliest)
  }

  /** Returns the index of the first month that is closed with what was recorded at a time, the last month if none is. */
  #indexOf(recorded: number): number {
    const index = this.#times.findIndex((time) => recorded <= time)
    return index < 0 ? this.#times.length - 1 : index
  }

  /** Returns when a month was closed; undefined if it was not. */
  timeOf(month: Month): number | undefined {
    const index = month - this.#months[0]!
    const time = this.#times[index]!
    return index >= this.#first && time < this.#now ? time : undefined
  }

  /** Returns the first month that knows an invoice; the first one of all for what the first closing knew. */
  monthOf(invoice: Invoice): Month {
    const index = this.#indexOf(recordedAt(invoice))
    return this.#months[index <= this.#first ? 0 : index]!
  }
}

/**
 * Calls `visit` with each line and the month that it became known in. A line is read by the conventions that were known then, since
 * later invoices must not change a month that was closed.
 */
const visitByClosing = (
  { invoices, months }: Dataset,
  closings: Closings,
  visit: (line: RecognisedLine, known: Month) => void,
): void => {
  const invoicesByMonth = Map.groupBy(invoices, (invoice) => closings.monthOf(invoice))
  const known: Invoice[] = []
  for (const month of months) {
    const added = invoicesByMonth.get(month) ?? []
    for (const invoice of added) known.push(invoice)
    visitRecognised(added, new BillingConventions(known), (line) => visit(line, month))
  }
}

/** Returns the revenue of each month as it was closed, for each currency, and of the months that are not closed so far. */
export const revenueAsClosed = (dataset: Dataset): CurrencyMonths<RevenueAsClosed>[] => {
  const { months } = dataset
  const closings = new Closings(dataset)
  const ends = endsOf(dataset)
  const currencies = new SumsByCurrency(() => new Recognition(ends))
  visitByClosing(dataset, closings, (line, known) => {
    const index = known - months[0]!
    // The first period is all time before the first month.
    currencies.of(line.currency).add(line, index === 0 ? 0 : index + 1)
  })
  return currencies.map((currency, recognition) => {
    const monthAt = recognition.monthAt()
    const recordAt = (index: number) => ({
      ...monthAt(index),
      forEarlierMonths: recognition.forEarlier[index + 1]!,
      closedAt: closings.timeOf(months[index]!),
    })
    return { currency, months: recordsByMonth(months, recordAt) }
  })
}

/** What a line that became known late recognises for a month that was closed without it. */
interface LateAmount {
  readonly invoice: Invoice
  readonly month: Month
  readonly currency: string
  readonly amount: number
}

/** Returns what the lines that were recorded after months were closed recognise for those months. */
const lateAmounts = (dataset: Dataset, closings: Closings): LateAmount[] => {
  const { months, calendar } = dataset
  const amounts: LateAmount[] = []
  visitByClosing(dataset, closings, (line, known) => {
    const { invoice, currency, net, start, end } = line
    if (net === 0) return
    const first = Math.max(months[0]!, calendar.monthOf(start))
    const last = Math.min(known - 1, calendar.monthOf(end - 1))
    for (let month = first; month <= last; month += 1) {
      if (closings.timeOf(month) === undefined) continue
      const before = recognisedUntil(line, calendar.startOf(month))
      // 0 where the line begins in the last seconds of the month, which changes its recurring revenue none the less.
      const amount = recognisedUntil(line, calendar.startOf(month + 1)) - before
      amounts.push({ invoice, month, currency, amount })
    }
  })
  return amounts
}

/** Returns the recurring revenue at the end of a month in a currency. */
const recurringAt = ({ activeLines }: Dataset, month: Month, currency: string): number =>
  monthlySum(spansAt(activeLines, month).filter((line) => line.currency === currency))

const lateInvoice = ({ conventions }: Dataset, amounts: readonly LateAmount[]): LateInvoice => {
  const { invoice, currency } = amounts[0]!
  let net = 0
  visitNets([invoice], conventions, (line) => {
    if (line.currency === currency) net += line.net
  })
  return {
    invoice_id: invoice.id,
    customer_id: invoice.customer_id,
    created: invoice.created,
    recorded: recordedAt(invoice),
    net,
    recognised: sumOf(amounts, ({ amount }) => amount),
  }
}

/** Returns what later records changed in each month that was closed, oldest first. */
export const changesToClosedMonthsIn = (dataset: Dataset): ClosedMonthChanges[] => {
  const closings = new Closings(dataset)
  const { invoices, calendar } = dataset
  const amountsByMonth = [...Map.groupBy(lateAmounts(dataset, closings), ({ month }) => month)]
  return amountsByMonth
    .sort(([a], [b]) => a - b)
    .flatMap(([month, amounts]) => {
      const closedAt = closings.timeOf(month)!
      // Only the customers with late invoices, since the others have the same recurring revenue as then.
      const ids = new Set(amounts.map(({ invoice }) => invoice.customer_id))
      const isConcerned = ({ customer_id }: Invoice): boolean => ids.has(customer_id)
      const then = new Dataset(recordedBy(invoices, closedAt), closedAt, calendar.timeZone)
      const asClosed = then.only(then.invoices.filter(isConcerned))
      const today = dataset.only(invoices.filter(isConcerned))
      return byCurrency(amounts).map(([currency, ofCurrency]) => {
        const late = groupsOf(ofCurrency, ({ invoice }) => invoice.id)
          .map((group) => lateInvoice(dataset, group))
          .sort((a, b) => a.recorded - b.recorded || compareTexts(a.invoice_id, b.invoice_id))
        return {
          month,
          name: monthName(month),
          currency,
          closedAt,
          recognised: sumOf(late, ({ recognised }) => recognised),
          recurring: recurringAt(today, month, currency) - recurringAt(asClosed, month, currency),
          invoices: late,
        }
      })
    })
}
