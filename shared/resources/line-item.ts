import { parseDate } from '../contract/dates.ts'
import {
  count,
  currency,
  date,
  integer,
  interval,
  lineItemId,
  minorUnits,
  nullable,
  priceType,
  seconds,
} from '../contract/fields.ts'
import { object, type ValueOf, type Values } from '../contract/schema.ts'

const common = {
  id: nullable(lineItemId),
  amount: nullable(minorUnits),
  currency: nullable(currency),
  quantity: nullable(integer),
  discount_amount: nullable(minorUnits),
  tax_amount: nullable(minorUnits),
}
const term = { interval: nullable(interval), interval_count: nullable(count), type: nullable(priceType) }

/** A line item in a request: every field optional and nullable (R9). */
export const lineItemRequest = object(
  { ...common, period_start: nullable(date), period_end: nullable(date), ...term },
  [],
)

const fields = {
  ...common,
  id: lineItemId,
  period_start: nullable(seconds),
  period_end: nullable(seconds),
  ...term,
}

/** A line item in a response: the request's fields, times as seconds (S4). */
export const lineItemResponse = object(fields, Object.keys(fields) as (keyof typeof fields)[])
export type LineItem = Values<typeof fields>

const secondsFrom = (text: string | null | undefined) => (text == null ? null : (parseDate(text) ?? null))

/** The line item that a request describes; `id` serves where the request has none (R9). */
export const lineItemFrom = (request: ValueOf<typeof lineItemRequest>, id: string): LineItem => ({
  id: request.id ?? id,
  amount: request.amount ?? null,
  currency: request.currency?.toUpperCase() ?? null,
  quantity: request.quantity ?? null,
  discount_amount: request.discount_amount ?? null,
  tax_amount: request.tax_amount ?? null,
  period_start: secondsFrom(request.period_start),
  period_end: secondsFrom(request.period_end),
  interval: request.interval ?? null,
  interval_count: request.interval_count ?? null,
  type: request.type ?? null,
})
