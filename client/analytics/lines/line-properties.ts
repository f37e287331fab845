import type { Invoice, Line, Plan } from './invoice.ts'

/** The properties of a line, by itself or with its invoice. */

/** Returns the lines of an invoice, which a list without `include=line_items` does not have. */
export const linesOf = <Item>(invoice: { readonly line_items?: readonly Item[] }): readonly Item[] =>
  invoice.line_items ?? []

/** Returns the currency of a line: its own or that of its invoice. */
export const currencyOf = (
  line: Pick<Partial<Line>, 'currency'>,
  invoice: Pick<Invoice, 'currency'>,
): string => line.currency ?? invoice.currency

/** Returns the plan of a line: the product of its price. */
export const planOf = ({ price }: Line): Plan =>
  price ? { key: price.product.id, name: price.product.name } : { key: '', name: null }

/** Returns whether a line has a period of its own. */
export const hasPeriod = <Item extends Partial<Line>>(
  line: Item,
): line is Item & { readonly period_start: number; readonly period_end: number } =>
  line.period_start != null && line.period_end != null

/** Returns the amount of a line without its discount. */
export const afterDiscount = ({ amount, discount_amount }: Partial<Line>): number =>
  (amount ?? 0) - (discount_amount ?? 0)

/** Rounds half away from zero. Returns 0 in place of −0. */
export const rounded = (amount: number): number => {
  const size = Math.round(Math.abs(amount))
  return size === 0 ? 0 : Math.sign(amount) * size
}
