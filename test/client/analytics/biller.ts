import fc from 'fast-check'
import type { Invoice, Line } from '../../../client/analytics/index.ts'
import { type Calendar, calendarOf } from '../../../client/analytics/lines/calendar.ts'
import {
  intervalOf,
  invoiceFor,
  type Life,
  type LifeEvent,
  life,
  lineFor,
  monthlyOf,
  netOf,
  type Terms,
  toleranceOf,
} from './businesses.ts'
import { lineOf, proration } from './invoices.ts'
import { type BilledPeriod, bySecond, type ProrationStyle } from './proration-styles.ts'

/** An exact biller: the invoices of generated subscriptions, and their true monthly revenue at any second. */

/** The latest moment that is billed for. The previous month is final. */
export const NOW = Date.UTC(2027, 0, 6, 12) / 1000
const DAY = 86_400

/** The true monthly revenue of a subscription from a second on, until its next state. */
interface State {
  readonly from: number
  readonly monthly: number
}

/** By how much the figures may differ from the truth in a period, since discounts and taxes of its lines are rounded. */
interface Tolerance {
  readonly from: number
  readonly until: number
  readonly amount: number
}

/** The truth about a subscription: its states, oldest first. */
export interface Subscription {
  readonly customer_id: string
  readonly currency: string
  readonly states: readonly State[]
  readonly tolerances: readonly Tolerance[]
}

export interface Business {
  readonly invoices: readonly Invoice[]
  readonly subscriptions: readonly Subscription[]
}

/** How a business bills: in the calendar of a time zone, and in a style of prorations. */
interface Billing {
  readonly shift: Calendar['shift']
  readonly style: ProrationStyle
}

type Ids = Readonly<Pick<Invoice, 'customer_id' | 'subscription_id'>>

/** Bills one life. */
class Biller {
  readonly invoices: Invoice[] = []
  readonly states: State[] = []
  readonly tolerances: Tolerance[] = []
  private readonly life: Life
  private readonly ids: Ids
  private readonly billing: Billing
  private terms: Terms
  /** The start of the first period, from which the starts of all others are counted. */
  private anchor = 0
  private periods = 0
  /** The current period, which has been billed; undefined after the end of the subscription. */
  private period: BilledPeriod | undefined
  /** Whether the subscription ends with its current period. */
  private expires = false
  /** The lines of prorations that are invoiced with the next period. */
  private pending: Line[] = []
  /** How often the subscription has moved to another id. */
  private moves = 0
  private movesWithNextPeriod = false

  constructor(life: Life, ids: Ids, billing: Billing) {
    this.life = life
    this.ids = ids
    this.billing = billing
    this.terms = life.terms
    this.begin(billing.style.effectiveTime(life.start, undefined))
    this.billEvents()
    this.renewUntil(NOW)
    this.recordPending(NOW)
  }

  private billEvents(): void {
    let time = this.life.start
    for (const event of this.life.events) {
      time += event.secondsAfter + 1
      this.renewUntil(time)
      if (this.period && event.secondsBeforeEnd !== null)
        time = Math.max(time, this.period.end - event.secondsBeforeEnd - 1)
      // A period that ended in the last second of a minute would be read as inclusive of its end.
      if (time % 60 === 59) time += 1
      if (time > NOW) return
      this.renewUntil(time)
      time = this.billing.style.effectiveTime(time, this.period)
      this.renewUntil(time)
      this.handle(time, event)
    }
  }

  private record(created: number, line_items: Line[], period: Partial<Invoice> = {}): void {
    const id = `${this.ids.subscription_id} ${this.invoices.length}`
    const subscription_id = `${this.ids.subscription_id}${this.moves > 0 ? ` moved ${this.moves}` : ''}`
    const invoice = { customer_id: this.ids.customer_id, subscription_id, id, created, ...period }
    this.invoices.push(invoiceFor(this.life, invoice, line_items))
  }

  private recordPending(created: number): void {
    if (this.pending.length > 0) this.record(created, this.pending)
    this.pending = []
  }

  /** Returns which part of the price of terms is billed at once. */
  private instalmentOf({ interval }: Terms): number {
    return this.billing.style.hasInstalments && interval === 'year' ? 1 / 12 : 1
  }

  private monthlyOf(terms: Terms): number {
    return monthlyOf(this.life, terms, this.instalmentOf(terms))
  }

  /** Bills the next period. */
  private bill(): void {
    const share = this.instalmentOf(this.terms)
    const { unit, count, months } =
      share === 1 ? intervalOf(this.terms) : { unit: 'month', count: 1, months: 1 }
    const startOf = (index: number) => this.billing.shift(this.anchor, unit, index * count)
    const [start, end] = [startOf(this.periods), startOf(this.periods + 1)]
    this.period = { start, end, months }
    this.periods += 1
    this.states.push({ from: start, monthly: this.monthlyOf(this.terms) })
    // Prorations of the previous period have the subscription's previous id.
    this.recordPending(start)
    if (this.movesWithNextPeriod) this.moves += 1
    this.movesWithNextPeriod = false
    const line = lineFor(this.life, this.terms, { start, end, share })
    this.record(start + this.life.daysLate * DAY, [line], { period_start: start, period_end: end })
  }

  private begin(time: number): void {
    this.anchor = time
    this.periods = 0
    this.expires = false
    this.bill()
  }

  private renewUntil(time: number): void {
    while (this.period && this.period.end <= time) {
      if (this.expires) this.end(this.period.end)
      else this.bill()
    }
  }

  private end(time: number): void {
    this.recordPending(time)
    this.states.push({ from: time, monthly: 0 })
    this.period = undefined
  }

  private handle(time: number, { action, terms }: LifeEvent): void {
    if (!this.period) {
      this.terms = terms
      this.begin(time)
    } else if (action === 'move') this.movesWithNextPeriod = true
    // Three months that were paid in advance are not refunded.
    else if (action === 'expire' || this.terms.interval === 'prepaid') this.expires = true
    else if (action === 'cancel') this.prorate(time, undefined)
    else if (action === 'plan') this.prorate(time, { ...this.terms, plan: terms.plan })
    else if (action === 'quantity') this.prorate(time, { ...this.terms, quantity: terms.quantity })
    else this.prorate(time, { ...this.terms, interval: terms.interval })
  }

  /**
   * Credits the unused part of the current period and charges the same part at the new terms. If the interval changes, a new
   * period begins instead. Without new terms, the subscription ends.
   */
  private prorate(time: number, newTerms: Terms | undefined): void {
    const { end } = this.period!
    const unusedShare = this.billing.style.shareLeft(time, this.period!) * this.instalmentOf(this.terms)
    const isNewInterval = newTerms !== undefined && newTerms.interval !== this.terms.interval
    const prorations = [this.prorationFor(this.terms, { start: time, end, share: -unusedShare })]
    if (newTerms && !isNewInterval)
      prorations.push(this.prorationFor(newTerms, { start: time, end, share: unusedShare }))
    const line_items = prorations.map(({ line }) => line)
    // Amounts that are rounded to 0 say nothing, except that of a credit beside a charge.
    const isRoundedCredit = (line: Line, index: number) =>
      index === 0 && line_items.length > 1 && line.amount === 0
    if (line_items.some((line, index) => netOf(this.life, line) === 0 && !isRoundedCredit(line, index)))
      return
    if (this.life.isProratedLater) this.pending.push(...line_items)
    else this.record(time, line_items)
    for (const { tolerance } of prorations)
      this.tolerances.push({ from: time, until: end, amount: tolerance })
    if (newTerms) this.terms = newTerms
    if (isNewInterval) this.begin(time)
    else if (newTerms) this.states.push({ from: time, monthly: this.monthlyOf(newTerms) })
    else this.end(time)
  }

  private prorationFor(terms: Terms, period: { start: number; end: number; share: number }) {
    const line = lineFor(this.life, terms, { ...period, isProration: true })
    return { line, tolerance: toleranceOf(this.life, terms, line) }
  }
}

/** Returns what is recorded besides the subscription of a life: its invoices, and its true monthly revenue. */
const billExtra = (life: Life, ids: Ids, shift: Calendar['shift']): Pick<Biller, 'invoices' | 'states'> => {
  const { start } = life
  const monthBefore = shift(start, 'month', -1)
  const monthAfter = shift(monthBefore, 'month', 2)
  const oneTime = { ...proration, period_start: null, period_end: null }
  // The line of a prepaid interval would have no period, but this one needs an empty one.
  const terms: Terms = {
    ...life.terms,
    interval: life.terms.interval === 'prepaid' ? 'month' : life.terms.interval,
  }
  const emptyLine = lineFor(life, terms, { start, end: start })
  const lines: Readonly<Record<string, Line[]>> = {
    trial: [{ ...emptyLine, amount: 0, discount_amount: 0, tax_amount: 0, period_start: monthBefore }],
    setup: [lineOf({ ...oneTime, amount: 9900, price: emptyLine.price })],
    goodwill: [lineOf({ ...oneTime, amount: -500 })],
    empty: [emptyLine],
    'no lines': [],
    rebate: [lineOf({ amount: -600, period_start: monthBefore, period_end: monthAfter })],
  }
  const line_items = lines[life.extra]
  const invoice = { ...ids, id: ids.subscription_id, created: start, period_end: start + DAY }
  const total = life.extra === 'no lines' ? { total: 500 } : {}
  const invoices = line_items ? [invoiceFor(life, { ...invoice, ...total }, line_items)] : []
  const rebate = [
    { from: monthBefore, monthly: -300 },
    { from: monthAfter, monthly: 0 },
  ]
  return { invoices, states: life.extra === 'rebate' ? rebate : [] }
}

/** Bills lives in the calendar of a time zone, and in a style of prorations. They belong to the customers in turn. */
export const businessOf = (
  lives: readonly Life[],
  customers: readonly string[],
  timeZone: string,
  style = bySecond,
): Business => {
  const { shift } = calendarOf(timeZone)
  const invoices: Invoice[] = []
  const subscriptions: Subscription[] = []
  for (const [index, life] of lives.entries()) {
    const customer_id = customers[index % customers.length]!
    const idsOf = (name: string) => ({ customer_id, subscription_id: `${name} ${index} of ${customer_id}` })
    const billed = new Biller(life, idsOf('plan'), { shift, style })
    const extra = billExtra(life, idsOf('rebate'), shift)
    invoices.push(...billed.invoices, ...extra.invoices)
    const { currency } = life
    subscriptions.push(
      { customer_id, currency, states: billed.states, tolerances: billed.tolerances },
      { customer_id, currency, states: extra.states, tolerances: [] },
    )
  }
  return { invoices, subscriptions }
}

/** The invoices of a business, whose customers have up to three subscriptions. */
export const business = fc
  .array(life, { minLength: 1, maxLength: 5 })
  .map((lives) => businessOf(lives, ['ann', 'bob', '__proto__'], 'UTC').invoices)
/** A time in the last two years. */
export const time = fc.integer({ min: NOW - 730 * DAY, max: NOW })
export const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York')
