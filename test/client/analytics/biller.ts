import type { Invoice, Line } from '../../../client/analytics/index.ts'
import { type Calendar, calendarOf } from '../../../client/analytics/lines/calendar.ts'
import {
  type Held,
  invoiceFor,
  type Life,
  lineFor,
  monthlyOf,
  netOf,
  roundingOf,
  unitOf,
} from './businesses.ts'
import { lineOf } from './invoices.ts'

/** An exact biller: the invoices of generated subscriptions, and what is true of them at any second. */

/** The latest moment that is billed for. The month before is final. */
export const NOW = Date.UTC(2027, 0, 6, 12) / 1000
const DAY = 86_400

/** What is true of a subscription from a moment on. */
interface State {
  readonly from: number
  /** What it comes to in a month. */
  readonly monthly: number
}

/** By how much the figures of a period may differ from what is true, since discounts and taxes of its lines are rounded. */
interface Rounding {
  readonly from: number
  readonly to: number
  readonly most: number
}

/** What is true of a subscription: its states in order. */
export interface Subscription {
  readonly customer_id: string
  readonly currency: string
  readonly states: readonly State[]
  readonly roundings: readonly Rounding[]
}

export interface Business {
  readonly invoices: readonly Invoice[]
  readonly subscriptions: readonly Subscription[]
}

type Ids = Readonly<Pick<Invoice, 'customer_id' | 'subscription_id'>>

/** Bills one life in the calendar of a time zone. */
class Biller {
  readonly invoices: Invoice[] = []
  readonly states: State[] = []
  readonly roundings: Rounding[] = []
  private readonly life: Life
  private readonly ids: Ids
  private readonly shift: Calendar['shift']
  private held: Held
  private anchor = 0
  private periods = 0
  /** The period that is paid for; undefined after the end of the subscription. */
  private period: readonly [number, number] | undefined
  private expires = false
  /** The lines of prorations that are invoiced with the next period. */
  private pending: Line[] = []
  /** How often the subscription has moved to another id. */
  private moves = 0
  private isMoving = false

  constructor(life: Life, ids: Ids, shift: Calendar['shift']) {
    this.life = life
    this.ids = ids
    this.shift = shift
    this.held = life.held
    this.begin(life.start)
    let at = life.start
    for (const { after, rest, ...event } of life.events) {
      at += after + 1
      this.renewUntil(at)
      if (this.period && rest !== null) at = Math.max(at, this.period[1] - rest - 1)
      if (at % 60 === 59) at += 1
      if (at > NOW) break
      this.renewUntil(at)
      this.handle(at, event)
    }
    this.renewUntil(NOW)
    this.recordPending(NOW)
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

  /** Bills the next period. */
  private bill(): void {
    const { unit, count } = unitOf(this.held)
    const startOf = (index: number) => this.shift(this.anchor, unit, index * count)
    this.period = [startOf(this.periods), startOf(this.periods + 1)]
    this.periods += 1
    this.states.push({ from: this.period[0], monthly: monthlyOf(this.life, this.held) })
    const [period_start, period_end] = this.period
    // Prorations of the period before are of the subscription as it was called then.
    this.recordPending(period_start)
    if (this.isMoving) this.moves += 1
    this.isMoving = false
    const line = lineFor(this.life, this.held, this.period)
    this.record(period_start + this.life.late * DAY, [line], { period_start, period_end })
  }

  private begin(at: number): void {
    this.anchor = at
    this.periods = 0
    this.expires = false
    this.bill()
  }

  private renewUntil(at: number): void {
    while (this.period && this.period[1] <= at) {
      if (!this.expires) this.bill()
      else this.end(this.period[1])
    }
  }

  private end(at: number): void {
    this.recordPending(at)
    this.states.push({ from: at, monthly: 0 })
    this.period = undefined
  }

  private handle(at: number, { does, held }: Omit<Life['events'][number], 'after' | 'rest'>): void {
    if (!this.period) {
      this.held = held
      this.begin(at)
    } else if (does === 'move') this.isMoving = true
    // What is paid in advance for three months is not given back.
    else if (does === 'expire' || this.held.interval === 'prepaid') this.expires = true
    else this.prorate(at, does === 'cancel' ? undefined : { ...this.held, [does]: held[does as 'plan'] })
  }

  /** Gives back the unused part of the period, and bills the rest of it for what is held now, if anything. */
  private prorate(at: number, held: Held | undefined): void {
    const [start, end] = this.period!
    const isNewInterval = held !== undefined && held.interval !== this.held.interval
    const charged = isNewInterval ? undefined : held
    const lines = [this.held, charged].flatMap((each, index) => {
      if (!each) return []
      const line = lineFor(this.life, each, [at, end, ((index * 2 - 1) * (end - at)) / (end - start)])
      return [{ line, most: roundingOf(this.life, each, line) }]
    })
    // What is rounded to nothing cannot be recorded.
    if (lines.some(({ line }) => netOf(this.life, line) === 0)) return
    const line_items = lines.map(({ line }) => line)
    if (this.life.isProratedLater) this.pending.push(...line_items)
    else this.record(at, line_items)
    for (const { most } of lines) this.roundings.push({ from: at, to: end, most })
    if (held) this.held = held
    if (isNewInterval) this.begin(at)
    else if (held) this.states.push({ from: at, monthly: monthlyOf(this.life, held) })
    else this.end(at)
  }
}

/** Returns the invoices of what else is recorded of a life, and what is true of it. */
const oddOf = (life: Life, ids: Ids, shift: Calendar['shift']): Pick<Biller, 'invoices' | 'states'> => {
  const { start } = life
  const before = shift(start, 'month', -1)
  const end = shift(before, 'month', 2)
  const none = { interval: null, interval_count: null, period_start: null, period_end: null }
  const once = { ...none, type: 'one_time' }
  // A line of several months in advance has no period of its own, which an empty one needs.
  const isPrepaid = life.held.interval === 'prepaid'
  const whole = lineFor(life, { ...life.held, interval: isPrepaid ? 'month' : life.held.interval }, [
    start,
    start,
  ])
  const lines: Readonly<Record<string, Line[]>> = {
    trial: [{ ...whole, amount: 0, discount_amount: 0, tax_amount: 0, period_start: before }],
    setup: [lineOf({ ...once, amount: 9900, price: whole.price })],
    goodwill: [lineOf({ ...once, amount: -500 })],
    empty: [whole],
    'no lines': [],
    rebate: [lineOf({ amount: -600, period_start: before, period_end: end })],
  }
  const line_items = lines[life.odd]
  const invoice = { ...ids, id: ids.subscription_id, created: start, period_end: start + DAY }
  const total = life.odd === 'no lines' && { total: 500 }
  const invoices = line_items ? [invoiceFor(life, { ...invoice, ...total }, line_items)] : []
  const rebate = [-300, 0].map((monthly, index) => ({ from: [before, end][index]!, monthly }))
  return { invoices, states: life.odd === 'rebate' ? rebate : [] }
}

/** Returns the business of lives, which belong to customers in turn. */
export const businessOf = (
  lives: readonly Life[],
  customers: readonly string[],
  timeZone: string,
): Business => {
  const { shift } = calendarOf(timeZone)
  const billed = lives.flatMap((life, index) => {
    const customer_id = customers[index % customers.length]!
    const idsOf = (name: string) => ({ customer_id, subscription_id: `${name} ${index} of ${customer_id}` })
    const { currency } = life
    const odd = { ...oddOf(life, idsOf('rebate'), shift), roundings: [] }
    return [new Biller(life, idsOf('plan'), shift), odd].map((each) => ({ ...each, customer_id, currency }))
  })
  return { invoices: billed.flatMap(({ invoices }) => invoices), subscriptions: billed }
}
