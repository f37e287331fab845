import type { MovementReason } from '../../client/analytics/index.ts'
import { counted, money, number, recurrence } from '../text/format.ts'
import type { Invoice } from './entities.ts'

type Line = Invoice['line_items'][number]

const isSeveral = (quantity: number | null): quantity is number => quantity !== null && quantity !== 1

const times = (quantity: number | null): string => (isSeveral(quantity) ? `${number(quantity)} × ` : '')

/** Returns a line in words, such as `6 × Pro, monthly, $49.00 each`; one without a price by what it costs. */
export const lineWords = (line: Line, invoice: Invoice): string => {
  const amount = line.amount ?? 0
  const costs = money(amount, line.currency ?? invoice.currency)
  if (!line.price && amount < 0) return `Credit, ${costs}`
  const { interval, interval_count } = line.price ?? line
  const every = interval ? recurrence(interval, interval_count) : 'once'
  if (!line.price) return `${times(line.quantity)}No plan named, ${every}, ${costs}`
  const { product, price, currency } = line.price
  const each = isSeveral(line.quantity) ? ' each' : ''
  return `${times(line.quantity)}${product.name}, ${every}, ${money(price, currency)}${each}`
}

/** Returns the text of the billed lines: the line with the largest amount, and the number of the other lines. */
export const billedWords = (invoice: Invoice): string => {
  const lines = invoice.line_items ?? []
  let first = lines[0]
  for (const line of lines) if ((line.amount ?? 0) > (first!.amount ?? 0)) first = line
  if (!first) return 'No lines'
  const more = lines.length - 1
  return `${lineWords(first, invoice)}${more > 0 ? `, and ${counted(more, 'more line')}` : ''}`
}

const intervalWords = (intervals: string | null): string =>
  (intervals ?? '')
    .split(' + ')
    .map((each) => {
      const [count = '1', unit = ''] = each.split(' ')
      return recurrence(unit, Number(count))
    })
    .join(' and ')

/** Returns why a customer pays more or less, in words, such as `Basic → Pro` or `discount ended (Welcome)`. */
export const reasonWords = ({ kind, plan, before, after }: MovementReason): string => {
  const planLabel = plan?.name ? `${plan.name}: ` : ''
  if (kind === 'plan') {
    if (before === null) return `plan added: ${after}`
    return after === null ? `plan ended: ${before}` : `plan: ${before} → ${after}`
  }
  if (kind === 'quantity') return `${planLabel}quantity ${before} → ${after}`
  if (kind === 'interval') return `${planLabel}${intervalWords(before)} → ${intervalWords(after)}`
  if (kind === 'price') return `${planLabel}another price`
  if (kind === 'credit') return `${planLabel}credit`
  if (before === null) return `discount began: ${after}`
  return after === null ? `discount ended: ${before}` : `discount changed: ${after}`
}
