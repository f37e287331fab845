import { counted, money, recurrence } from '../text/format.ts'
import type { Invoice } from './entities.ts'

type Line = Invoice['line_items'][number]

/** Returns a line in words, such as `Pro, monthly, $49.00`; one without a price by what it costs. */
export const lineWords = (line: Line, invoice: Invoice): string => {
  const amount = line.amount ?? 0
  const costs = money(amount, line.currency ?? invoice.currency)
  if (!line.price && amount < 0) return `Credit, ${costs}`
  const { interval, interval_count } = line.price ?? line
  const every = interval ? recurrence(interval, interval_count) : 'once'
  if (!line.price) return `No plan named, ${every}, ${costs}`
  return `${line.price.product.name}, ${every}, ${money(line.price.price, line.price.currency)}`
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
