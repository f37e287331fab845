import type { BillingConventions } from '../../client/analytics/lines/billing-conventions.ts'
import { counted, money, NO_PLAN_NAME, number, recurrence } from '../text/format.ts'
import type { Invoice } from './entities.ts'

type Line = Invoice['line_items'][number]
type Price = NonNullable<Line['price']>

const isCredit = ({ amount }: Line): boolean => (amount ?? 0) < 0

const isStatedQuantity = (quantity: number | null): quantity is number => quantity !== null && quantity !== 1

/** The name of the product and, if the price is not recurring, its title: `Pro`, or `Services, Workshop`. */
const productText = ({ product, title, interval }: Price): string => {
  if (interval || !title) return product.name
  return title.startsWith(product.name) ? title : `${product.name}, ${title}`
}

/** Returns the quantity, the product and the recurrence of a line, such as `6 × Pro, monthly`. */
const subjectText = ({ price, quantity, ...line }: Line): string => {
  // A line without a price has an interval of its own.
  const { interval, interval_count } = price ?? line
  const recurrenceText = interval ? recurrence(interval, interval_count) : 'once'
  const quantityText = isStatedQuantity(quantity) ? `${number(quantity)} × ` : ''
  return `${quantityText}${price ? productText(price) : NO_PLAN_NAME}, ${recurrenceText}`
}

/**
 * Such as `6 × Pro, monthly, $49.00 each`. A line without a price has its amount, and a credit (`Credit: 6 × Pro, monthly`) has
 * neither, because its amount differs from the price. A tax that is part of the price is named.
 */
export const lineText = (line: Line, invoice: Invoice, conventions: BillingConventions): string => {
  const { price, quantity, amount, currency, tax_amount } = line
  if (isCredit(line)) return price ? `Credit: ${subjectText(line)}` : 'Credit'
  const priceText = price
    ? `${money(price.price, price.currency)}${isStatedQuantity(quantity) ? ' each' : ''}`
    : money(amount ?? 0, currency ?? invoice.currency)
  const taxText = tax_amount && conventions.isTaxIncluded(invoice) ? ', tax included' : ''
  return `${subjectText(line)}, ${priceText}${taxText}`
}

/** How a line ranks as the main line of its invoice: 0 for a plan, 1 for any other charge, 2 for a credit. */
const mainLineRank = (line: Line): number => {
  if (isCredit(line)) return 2
  return (line.price ?? line).interval ? 0 : 1
}

/** The plan or else the charge with the highest amount, or the largest credit if the total is below 0. */
const mainLine = ({ line_items, total }: Invoice): Line | undefined => {
  const sizeOf = ({ amount }: Line): number => Math.abs(amount ?? 0)
  const lines = line_items ?? []
  const candidates = total < 0 && lines.some(isCredit) ? lines.filter(isCredit) : lines
  return candidates.toSorted((a, b) => mainLineRank(a) - mainLineRank(b) || sizeOf(b) - sizeOf(a))[0]
}

/**
 * The charges, at least one, beside the main line of an invoice as text: the name of a single one, or the number of several.
 */
const otherChargesText = (charges: readonly Line[]): string => {
  const price = charges.length === 1 ? charges[0]?.price : undefined
  return price ? productText(price) : counted(charges.length, 'more line')
}

/** Such as `Pro, monthly, $49.00, and 2 more lines` or `Pro, monthly, $49.00, and Services, Workshop`. */
export const invoiceText = (invoice: Invoice, conventions: BillingConventions): string => {
  const main = mainLine(invoice)
  if (!main) return invoice.total < 0 ? 'Credit, no lines' : 'No lines'
  const others = invoice.line_items.filter((line) => line !== main)
  const credits = others.filter(isCredit).length
  const charges = others.filter((line) => !isCredit(line))
  const creditNoun = isCredit(main) ? 'more credit' : 'credit'
  return [
    lineText(main, invoice, conventions),
    charges.length > 0 && otherChargesText(charges),
    credits > 0 && counted(credits, creditNoun),
  ]
    .filter(Boolean)
    .join(', and ')
}

export const linesText = (invoice: Invoice, conventions: BillingConventions): string => {
  const texts = (invoice.line_items ?? []).map((line) => lineText(line, invoice, conventions))
  return texts.length === 0 ? invoiceText(invoice, conventions) : texts.join('; ')
}
