import { counted, money, number, recurrence } from '../text/format.ts'
import type { Invoice } from './entities.ts'

type Line = Invoice['line_items'][number]

/** Returns whether a line is of a quantity that its text states. A quantity of 1 is not stated. */
const hasQuantity = (quantity: number | null): quantity is number => quantity !== null && quantity !== 1

/** Returns a line as text, such as `6 × Pro, monthly, $49.00 each`. A line without a price has its amount instead of a price. */
export const lineText = (line: Line, invoice: Invoice): string => {
  const { price, quantity } = line
  const amount = line.amount ?? 0
  const amountText = money(amount, line.currency ?? invoice.currency)
  if (!price && amount < 0) return `Credit, ${amountText}`
  const { interval, interval_count } = price ?? line
  const recurrenceText = interval ? recurrence(interval, interval_count) : 'once'
  const quantityText = hasQuantity(quantity) ? `${number(quantity)} × ` : ''
  if (!price) return `${quantityText}No plan named, ${recurrenceText}, ${amountText}`
  const eachText = hasQuantity(quantity) ? ' each' : ''
  return `${quantityText}${price.product.name}, ${recurrenceText}, ${money(price.price, price.currency)}${eachText}`
}

/** Returns an invoice as text: its line with the highest amount, and the number of the other lines. */
export const invoiceText = (invoice: Invoice): string => {
  const lines = invoice.line_items ?? []
  let main = lines[0]
  for (const line of lines) if ((line.amount ?? 0) > (main!.amount ?? 0)) main = line
  if (!main) return 'No lines'
  const others = lines.length - 1
  return `${lineText(main, invoice)}${others > 0 ? `, and ${counted(others, 'more line')}` : ''}`
}
