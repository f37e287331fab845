import { type ActiveLine, activeLinesOf } from './lines/active-lines.ts'
import { BillingConventions } from './lines/billing-conventions.ts'
import { type Calendar, calendarOf } from './lines/calendar.ts'
import { groupsOf } from './lines/groups.ts'
import type { Invoice, Month } from './lines/invoice.ts'
import { firstRecognition } from './lines/recognised-lines.ts'
import { withRoundedProrations } from './lines/rounded-prorations.ts'
import { type ValuedLine, valuedLines } from './lines/valued-lines.ts'
import { MAX_MONTHS, monthsBetween } from './months.ts'

/** The input of all figures: the invoices, the time, and the parts that are derived from them. Each part is computed when it is first read, so that a figure costs only what it needs. */
export class Dataset {
  readonly invoices: readonly Invoice[]
  readonly conventions: BillingConventions
  /** In seconds since the epoch. */
  readonly now: number
  readonly calendar: Calendar
  #months: readonly Month[] | undefined
  #lines: readonly ValuedLine[] | undefined
  #currencies: readonly string[] | undefined
  #subscriptions: readonly (readonly ValuedLine[])[] | undefined
  #activeLines: readonly ActiveLine[] | undefined
  #customers: readonly (readonly ActiveLine[])[] | undefined

  /**
   * `time` is in seconds since the epoch. If the invoices are a part of another dataset, `whole`, they share its conventions and its
   * calendar. Throws RangeError for an unknown time zone.
   */
  constructor(invoices: readonly Invoice[], time: number, timeZone: string, whole?: Dataset) {
    this.invoices = invoices
    this.conventions = whole?.conventions ?? new BillingConventions(invoices)
    this.now = Math.floor(time)
    this.calendar = whole?.calendar ?? calendarOf(timeZone)
  }

  /** Returns some of the invoices, read by the conventions that all of them show. So a figure of a part is a part of the figure. */
  only(invoices: readonly Invoice[]): Dataset {
    return new Dataset(invoices, this.now, this.calendar.timeZone, this)
  }

  /** The month of now. */
  get currentMonth(): Month {
    return this.calendar.monthOf(this.now)
  }

  /** The months of results: from the first one with an invoice or a period to the current one. */
  get months(): readonly Month[] {
    this.#months ??= this.#findMonths()
    return this.#months
  }

  /** The recurring lines, with their monthly values. */
  get lines(): readonly ValuedLine[] {
    this.#lines ??= withRoundedProrations(valuedLines(this.invoices, this.conventions, this.calendar))
    return this.#lines
  }

  /** The recurring lines of each subscription. */
  get subscriptions(): readonly (readonly ValuedLine[])[] {
    this.#subscriptions ??= groupsOf(this.lines, ({ invoice }) => invoice.subscription_id)
    return this.#subscriptions
  }

  /** The recurring lines that are active at the end of some month, or now. */
  get activeLines(): readonly ActiveLine[] {
    this.#activeLines ??= activeLinesOf(this.subscriptions, this.now, this.calendar)
    return this.#activeLines
  }

  /** The active lines of each customer. */
  get customers(): readonly (readonly ActiveLine[])[] {
    this.#customers ??= groupsOf(this.activeLines, ({ invoice }) => invoice.customer_id)
    return this.#customers
  }

  /** The currencies of the recurring lines, in the order of their codes. */
  get currencies(): readonly string[] {
    this.#currencies ??= [...new Set(this.lines.map(({ currency }) => currency))].sort()
    return this.#currencies
  }

  #findMonths(): readonly Month[] {
    let earliest = this.now
    for (const invoice of this.invoices)
      earliest = Math.min(earliest, invoice.created, firstRecognition(invoice, this.conventions))
    const last = this.currentMonth
    const first = Math.max(this.calendar.monthOf(earliest), last - MAX_MONTHS + 1)
    return monthsBetween(first, last)
  }
}
