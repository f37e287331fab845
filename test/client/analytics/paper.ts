import { readFileSync } from 'node:fs'
import type { Invoice, Line } from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, seconds } from './invoices.ts'

/** The histories of docs/figures.md, which are worked out on paper. */

/** The expected figures of a history at a time. */
export interface Seen {
  readonly now: number
  readonly timeZone: string
  /** The expected counts of the coverage, such as "1 emptyPeriods". */
  readonly reported: string
  /** The rows of the table of figures, by column. */
  readonly rows: readonly Readonly<Record<string, string>>[]
}

export interface PaperHistory {
  readonly title: string
  readonly invoices: readonly Invoice[]
  readonly seen: readonly Seen[]
}

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** Returns the rows of a Markdown table by column. */
const tableIn = (text: string): Record<string, string>[] => {
  const [head = '', , ...rows] = text.split('\n').filter((line) => line.startsWith('|'))
  const names = cellsOf(head)
  return rows.map((row) => Object.fromEntries(cellsOf(row).map((cell, index) => [names[index]!, cell])))
}

const minorUnits = (amount: string): number => Math.round(Number(amount) * 100)

const intervals: Readonly<Record<string, [string, number]>> = {
  daily: ['day', 1],
  weekly: ['week', 1],
  monthly: ['month', 1],
  quarterly: ['month', 3],
  yearly: ['year', 1],
}

const detailIn = (text: string, name: string): string | undefined =>
  new RegExp(`\\b${name} (\\S+?)(?:,|$)`).exec(text)?.[1]

const currencyIn = (and: string): string => (/(?:^|, )USD\b/.test(and) ? 'USD' : 'EUR')

/** Returns the price in the text of a row such as "part of Basic, monthly"; null for a text without one. */
const priceIn = (what: string, and: string): Line['price'] => {
  const [, plan, every] = /^(?:.* (?:of|for) )?(.*), (\w+)$/.exec(what) ?? []
  if (plan === undefined) return null
  const [interval, interval_count] = intervals[every!] ?? [null, null]
  return {
    id: what,
    interval,
    interval_count,
    price: minorUnits(detailIn(and, 'price') ?? '0'),
    currency: detailIn(and, 'priced in') ?? currencyIn(and),
    tiered: /\btiered\b/.test(and),
    product: { id: `id of ${plan}`, name: plan },
  } as Line['price']
}

const periodIn = (text: string) => {
  const [start, end] = text.replaceAll(/[()]/g, '').split(' to ')
  return { period_start: seconds(start!), period_end: seconds(end!) }
}

const lineIn = ({ amount = '', what = '', period = '', and = '' }: Record<string, string>): Line => {
  const price = priceIn(what, and)
  const isRecurring = what === 'recurring' || (price?.interval && !/ (of|for) /.test(what))
  const none = { period_start: null, period_end: null }
  return lineOf({
    amount: minorUnits(amount),
    discount_amount: minorUnits(detailIn(and, 'discount') ?? '0'),
    tax_amount: minorUnits(detailIn(and, 'tax') ?? '0'),
    price,
    quantity: Number(detailIn(and, 'quantity') ?? 1),
    type: isRecurring ? 'recurring' : 'one_time',
    interval: isRecurring && price ? price.interval : null,
    interval_count: isRecurring && price ? price.interval_count : null,
    ...(period === '' || period.startsWith('(') ? none : periodIn(period)),
  })
}

const invoiceIn = (rows: readonly Record<string, string>[]): Invoice => {
  const [{ created = '', period = '', and = '' } = {}] = rows
  const line_items = rows.filter(({ what }) => what !== 'no lines').map(lineIn)
  const sum = line_items.reduce((total, line) => total + line.amount! - line.discount_amount!, 0)
  const customer = detailIn(and, 'customer') ?? 'ann'
  const total = detailIn(and, 'total')
  return invoiceOf({
    created: seconds(created),
    ...periodIn(period === '' ? `${created} to ${created}` : period),
    currency: currencyIn(and),
    customer_id: customer,
    subscription_id: `${customer}'s ${detailIn(and, 'subscription') ?? 'first'}`,
    total: total === undefined ? sum : minorUnits(total),
    discounts: discountsIn(and),
    line_items,
  })
}

/** Returns the discount that a row names, such as "by Welcome". */
const discountsIn = (and: string): Invoice['discounts'] => {
  const name = detailIn(and, 'by')
  return name === undefined ? [] : [{ id: name, name } as Invoice['discounts'][number]]
}

/** Returns the invoices of a table. A row without a date is another line of the invoice above. */
const invoicesIn = (rows: readonly Record<string, string>[]): Invoice[] => {
  const groups: Record<string, string>[][] = []
  for (const row of rows)
    if (row.created === '') groups.at(-1)!.push(row)
    else groups.push([row])
  return groups.map(invoiceIn)
}

/** Returns the expected figures in the text after "Seen on". */
export const seenIn = (text: string): Seen => {
  const [, now = '', timeZone = 'UTC', reported = ''] =
    /^(.*?)(?: in (\S+?))?(?:, reported: (.*))?:\n/.exec(text) ?? []
  return { now: seconds(now), timeZone, reported, rows: tableIn(text) }
}

/** Returns the histories of docs/figures.md. */
export const paperHistories = (): PaperHistory[] =>
  readFileSync('docs/figures.md', 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((text) => {
      const [recorded = '', ...seen] = text.split(/^## /m)[0]!.split(/^Seen on /m)
      const title = recorded.split('\n')[0]!
      return { title, invoices: invoicesIn(tableIn(recorded)), seen: seen.map(seenIn) }
    })
