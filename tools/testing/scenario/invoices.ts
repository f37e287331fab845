import type { CreateInvoice } from '../../../client/index.ts'
import { type CustomerHistory, MONTHS } from './customer-history.ts'
import { type Interval, type Plan, priceId, recurring, unitPrice } from './plans.ts'

type LineItem = NonNullable<NonNullable<CreateInvoice['line_items']>[number]>

const MAX_LINES = 250

/** `month` is counted from January 1970. Day 0 is the last day of the month before. */
export const dayOfMonth = (month: number, day = 1): string =>
  new Date(Date.UTC(1970, month, day)).toISOString().slice(0, 10)

interface Bill {
  /** The first day that is billed, and the first day after the billed days. */
  readonly period: readonly [start: string, end: string]
  readonly lines: readonly LineItem[]
  /** Distinguishes it from the regular invoice of its month. */
  readonly idSuffix?: string
  readonly subscriptionSuffix?: string
  readonly discounts?: readonly string[]
}

/** 19 % in euros. */
const taxWithin = (currency: string, amount: number): number | null =>
  currency === 'EUR' ? Math.round((amount * 19) / 119) : null

const invoiceOf = ({ number, currency }: CustomerHistory, bill: Bill): CreateInvoice => {
  const { lines, idSuffix = '', subscriptionSuffix = '', discounts = [] } = bill
  const [periodStart, periodEnd] = bill.period
  const net = (line: LineItem): number => (line.amount ?? 0) - (line.discount_amount ?? 0)
  return {
    id: `invoice-${number}-${periodStart.slice(0, 7)}${subscriptionSuffix}${idSuffix}`,
    total: lines.reduce((sum, line) => sum + net(line), 0),
    created: periodStart,
    period_start: periodStart,
    period_end: periodEnd,
    currency,
    discounts,
    customer_id: `customer-${number}`,
    subscription_id: `subscription-${number}${subscriptionSuffix}`,
    line_items: lines.map((line) => ({
      currency,
      quantity: 1,
      tax_amount: taxWithin(currency, net(line)),
      ...line,
    })),
  }
}

const planLine = ({ currency }: CustomerHistory, plan: Plan, interval: Interval = 'month'): LineItem => ({
  id: plan,
  amount: unitPrice(plan, currency, interval),
  price_id: priceId(plan, currency, interval),
  ...recurring(interval),
})

/** On the 16th: credits the rest of the month of Basic, and bills the rest of Pro. */
const upgradeInvoice = (history: CustomerHistory, month: number): CreateInvoice => {
  const { firstMonth, currency } = history
  const start = dayOfMonth(firstMonth + month, 16)
  const end = dayOfMonth(firstMonth + month + 1)
  const days = new Date(Date.UTC(1970, firstMonth + month + 1, 0)).getUTCDate()
  const proratedLine = (id: string, plan: Plan, sign: 1 | -1): LineItem => ({
    id,
    type: 'one_time',
    price_id: priceId(plan, currency),
    period_start: start,
    period_end: end,
    amount: sign * Math.round((unitPrice(plan, currency) * (days - 15)) / days),
  })
  const lines = [proratedLine('unused', 'basic', -1), proratedLine('rest', 'pro', 1)]
  return invoiceOf(history, { period: [start, end], lines, idSuffix: '-upgrade' })
}

/** Half the price. It has no period, because all of the month was used. */
const creditInvoice = (history: CustomerHistory, month: number, plan: Plan): CreateInvoice => {
  const day = dayOfMonth(history.firstMonth + month, 15)
  const amount = -Math.round(unitPrice(plan, history.currency) / 2)
  const lines: LineItem[] = [{ id: 'credit', amount, type: 'one_time' }]
  return invoiceOf(history, { period: [day, day], lines, idSuffix: '-credit' })
}

/** The regular invoice, and possibly an upgrade and a credit. None during a pause. */
const invoicesOfMonth = (history: CustomerHistory, month: number): CreateInvoice[] => {
  const { firstMonth, start, upgrade, credit, pause, hasWelcomeDiscount } = history
  if (month >= pause && month < pause + 2) return []
  const plan = month > upgrade ? 'pro' : 'basic'
  const isDiscounted = hasWelcomeDiscount && month === start
  const line = planLine(history, plan)
  const regular = invoiceOf(history, {
    period: [dayOfMonth(firstMonth + month), dayOfMonth(firstMonth + month + 1)],
    lines: [{ ...line, discount_amount: isDiscounted ? Math.round(line.amount! / 10) : null }],
    discounts: isDiscounted ? ['welcome'] : [],
  })
  const invoices = [regular]
  if (month === upgrade) invoices.push(upgradeInvoice(history, month))
  if (month === credit) invoices.push(creditInvoice(history, month, plan))
  return invoices
}

/** After the customer's last month, or after the scenario. */
const endOf = ({ end }: CustomerHistory): number => Math.min(end, MONTHS)

/** One for each interval from the month `start`. */
const unchangingInvoices = (
  history: CustomerHistory,
  start: number,
  { plan, interval, subscriptionSuffix }: { plan: Plan; interval: Interval; subscriptionSuffix?: string },
): CreateInvoice[] => {
  const length = interval === 'year' ? 12 : 1
  const invoices: CreateInvoice[] = []
  for (let month = start; month < endOf(history); month += length) {
    const first = history.firstMonth + month
    const bill = {
      period: [dayOfMonth(first), dayOfMonth(first + length)],
      lines: [planLine(history, plan, interval)],
      ...(subscriptionSuffix === undefined ? {} : { subscriptionSuffix }),
    } as const
    invoices.push(invoiceOf(history, bill))
  }
  return invoices
}

/** Two weeks, for an amount of 0. */
const trialInvoice = (history: CustomerHistory): CreateInvoice => {
  const start = history.firstMonth + history.start
  const lines: LineItem[] = [{ ...planLine(history, 'basic'), amount: 0 }]
  return invoiceOf(history, {
    period: [dayOfMonth(start, -13), dayOfMonth(start)],
    lines,
    idSuffix: '-trial',
  })
}

export const invoicesOf = (history: CustomerHistory): CreateInvoice[] => {
  const { start, secondStart, hasTrial, isYearly } = history
  const invoices = hasTrial ? [trialInvoice(history)] : []
  if (isYearly) invoices.push(...unchangingInvoices(history, start, { plan: 'basic', interval: 'year' }))
  else
    for (let month = start; month < endOf(history); month += 1)
      invoices.push(...invoicesOfMonth(history, month))
  const support = { plan: 'support', interval: 'month', subscriptionSuffix: '-support' } as const
  return [...invoices, ...unchangingInvoices(history, secondStart, support)]
}

/** As many lines as the API accepts: the usage of the last month. */
export const usageInvoice = (history: CustomerHistory): CreateInvoice => {
  const lines = Array.from({ length: MAX_LINES }, (_, index) => ({
    id: `usage-${index}`,
    amount: 10 + index,
    quantity: 1 + (index % 9),
  }))
  const month = history.firstMonth + MONTHS - 1
  return invoiceOf(history, {
    period: [dayOfMonth(month), dayOfMonth(month + 1)],
    lines,
    idSuffix: '-usage',
  })
}
