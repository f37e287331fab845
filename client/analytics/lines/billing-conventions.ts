import { DAY, HOUR } from './calendar.ts'
import type { Invoice, Line } from './invoice.ts'
import { afterDiscount, currencyOf, linesOf } from './line-properties.ts'

/** How the total of an invoice compares with its lines in its currency. */
interface TotalComparison {
  /** By how much the total exceeds the sum of the lines after discount. */
  readonly excess: number
  /** The sum of the lines' taxes. */
  readonly tax: number
  /** By how much roundings may shift the total: a minor unit for each line. */
  readonly tolerance: number
}

/** The amounts of an invoice, as it is recorded or before. */
interface InvoiceAmounts extends Pick<Invoice, 'total' | 'currency'> {
  readonly line_items?: readonly Partial<Line>[]
}

const compareTotalToLines = (invoice: InvoiceAmounts): TotalComparison => {
  let excess = invoice.total
  let tax = 0
  let tolerance = 0
  for (const line of linesOf(invoice)) {
    if (currencyOf(line, invoice) !== invoice.currency) continue
    excess -= afterDiscount(line)
    tax += line.tax_amount ?? 0
    tolerance += 1
  }
  return { excess, tax, tolerance }
}

const fitsWithTaxWithin = ({ excess, tolerance }: TotalComparison): boolean => Math.abs(excess) <= tolerance

const fitsWithTaxOnTop = ({ excess, tax, tolerance }: TotalComparison): boolean =>
  Math.abs(excess - tax) <= tolerance

/** Returns whether the total of an invoice is the sum of its lines, with tax added or without, to a minor unit per line. */
export const isTotalOfLines = (invoice: InvoiceAmounts): boolean => {
  const comparison = compareTotalToLines(invoice)
  return comparison.tolerance === 0 || fitsWithTaxWithin(comparison) || fitsWithTaxOnTop(comparison)
}

const hasTax = (invoice: Invoice): boolean => linesOf(invoice).some(({ tax_amount }) => tax_amount)

/** The number of invoices with the tax on top, less the number with the tax within: of each customer, and in all. */
interface TaxVotes {
  readonly byCustomer: ReadonlyMap<string, number>
  readonly all: number
}

/** Counts the invoices whose total only fits with the taxes on top, less those whose total only fits with the taxes within. */
const countTaxVotes = (invoices: readonly Invoice[]): TaxVotes => {
  const byCustomer = new Map<string, number>()
  let all = 0
  for (const invoice of invoices) {
    if (!hasTax(invoice)) continue
    const comparison = compareTotalToLines(invoice)
    const isOnTop = fitsWithTaxOnTop(comparison)
    if (isOnTop === fitsWithTaxWithin(comparison)) continue
    const vote = isOnTop ? 1 : -1
    byCustomer.set(invoice.customer_id, (byCustomer.get(invoice.customer_id) ?? 0) + vote)
    all += vote
  }
  return { byCustomer, all }
}

const MINUTE = 60

/**
 * Returns how many seconds after a time its period ends, if the time is inclusive: one after a second 59, a minute after 23:59 in any
 * time zone, since all are whole quarters of an hour apart; 0 for any other time.
 */
const secondsToEnd = (time: number): number => {
  if (time % MINUTE === MINUTE - 1) return 1
  return time % (HOUR / 4) === HOUR / 4 - MINUTE ? MINUTE : 0
}

const anchorKey = (subscriptionId: string, time: number): string => `${subscriptionId} ${time % DAY}`

/** The conventions by which a business is billed. One invoice alone does not show them, so they are read from all invoices. */
export class BillingConventions {
  readonly #invoices: readonly Invoice[]
  #taxVotes: TaxVotes | undefined
  #anchors: ReadonlySet<string> | undefined

  constructor(invoices: readonly Invoice[]) {
    this.#invoices = invoices
  }

  /**
   * Returns the exclusive end of a period of a subscription. An end in the last second or minute is inclusive, unless one of its
   * invoices or lines starts at that time of day, or an hour from it where clocks changed: the next period then begins at the end.
   */
  exclusiveEnd(end: number, subscriptionId: string): number {
    const seconds = secondsToEnd(end)
    if (seconds === 0) return end
    this.#anchors ??= this.#findAnchors()
    const anchors = this.#anchors
    const times = [end - HOUR, end, end + HOUR]
    return times.some((time) => anchors.has(anchorKey(subscriptionId, time))) ? end : end + seconds
  }

  /** Returns the subscriptions with the times of day at which their invoices and lines start, if ends at these times would be inclusive. */
  #findAnchors(): ReadonlySet<string> {
    const anchors = new Set<string>()
    for (const invoice of this.#invoices) {
      const { subscription_id } = invoice
      const add = (start: number | null | undefined): void => {
        if (start != null && secondsToEnd(start) > 0) anchors.add(anchorKey(subscription_id, start))
      }
      add(invoice.period_start)
      for (const line of linesOf(invoice)) add(line.period_start)
    }
    return anchors
  }

  /**
   * Returns a function that returns the net of a line of an invoice: its amount without its discount, and without its tax unless
   * that was on top.
   */
  netAmounts(invoice: Invoice): (line: Line) => number {
    if (!this.isTaxIncluded(invoice)) return afterDiscount
    return (line) => afterDiscount(line) - (line.tax_amount ?? 0)
  }

  /** Returns whether the taxes of an invoice are included in the amounts of its lines. False if the invoice has no tax. */
  isTaxIncluded(invoice: Invoice): boolean {
    return hasTax(invoice) && !this.#isTaxOnTop(invoice)
  }

  /** Returns whether the taxes of an invoice are on top: its lines come to its total only with the taxes added. */
  #isTaxOnTop(invoice: Invoice): boolean {
    const comparison = compareTotalToLines(invoice)
    const { excess, tax } = comparison
    if (!fitsWithTaxOnTop(comparison)) return false
    if (!fitsWithTaxWithin(comparison)) return true
    // Both fit, for example if the taxes of a change of plan cancel each other out.
    this.#taxVotes ??= countTaxVotes(this.#invoices)
    const ownVotes = this.#taxVotes.byCustomer.get(invoice.customer_id) ?? 0
    const votes = ownVotes === 0 ? this.#taxVotes.all : ownVotes
    return votes === 0 ? Math.abs(excess - tax) < Math.abs(excess) : votes > 0
  }
}
