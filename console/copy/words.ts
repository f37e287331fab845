import { counted, money, recurrence } from '../text/format.ts'
import type { Invoice } from './entities.ts'

type Line = Invoice['line_items'][number]

/** Returns a line in words, such as `Pro, monthly, $49.00`; one without a price by what it costs. */
const lineWords = ({ price, amount, currency }: Line, invoice: Invoice): string => {
  if (!price)
    return `${(amount ?? 0) < 0 ? 'Credit' : 'Without a plan'}, ${money(amount ?? 0, currency ?? invoice.currency)}`
  const every = price.interval ? recurrence(price.interval, price.interval_count) : 'once'
  return `${price.product.name}, ${every}, ${money(price.price, price.currency)}`
}

/** Returns what was billed in words: the line of the greatest amount, and how many more there are. */
export const billedWords = (invoice: Invoice): string => {
  const lines = invoice.line_items ?? []
  let first = lines[0]
  for (const line of lines) if ((line.amount ?? 0) > (first!.amount ?? 0)) first = line
  if (!first) return 'No lines'
  const more = lines.length - 1
  return `${lineWords(first, invoice)}${more > 0 ? `, and ${counted(more, 'more line')}` : ''}`
}

/** Returns what an invoice's lines were discounted by. */
export const discountOf = ({ line_items, currency }: Invoice): number =>
  (line_items ?? []).reduce(
    (sum, line) => ((line.currency ?? currency) === currency ? sum + (line.discount_amount ?? 0) : sum),
    0,
  )
