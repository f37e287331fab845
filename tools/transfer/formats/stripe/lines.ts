import { type MappingContext, money, type Read, sum, type Table, time, value } from './fields.ts'
import { idAt, type Json, refuse, valueAt } from './values.ts'

/** How the lines of invoices are read. */

const prorations = ['proration', 'subscription_item_details.proration', 'invoice_item_details.proration']

/** The paths of a line's price, as an id or embedded. */
const pricePaths = ['pricing.price_details.price', 'price', 'plan']
const idOfPrice = (line: Json): string => String(idAt(line, ...pricePaths))

const knownRecurrence = (line: Json, { recurrence }: MappingContext): Json | undefined =>
  (valueAt(valueAt(line, ...pricePaths), 'recurring') ??
    valueAt(line, 'plan') ??
    recurrence(idOfPrice(line))) as Json | undefined

/** Returns whether a line bills metered usage, which does not recur by itself. */
export const isMetered = (line: Json, context: MappingContext): boolean =>
  valueAt(knownRecurrence(line, context), 'usage_type') === 'metered'

/** Returns whether a line bills a period of a subscription and is neither a proration nor usage. */
export const isRecurring = (line: Json, context: MappingContext): boolean =>
  (line.type === 'subscription' || valueAt(line, 'parent.type') === 'subscription_item_details') &&
  line.proration !== true &&
  valueAt(line.parent, ...prorations) !== true &&
  !isMetered(line, context)

const recurrenceOf = (line: Json, context: MappingContext): Json | undefined =>
  isRecurring(line, context)
    ? (knownRecurrence(line, context) ??
      refuse("The interval of a line's price is unknown: import the prices in the same command."))
    : undefined

/** Reads the price of a line if it is recorded. Usage has none: with its price and its period, it would be recurring revenue. */
const listedPriceOf: Read = (line, context) =>
  context.isListed(idOfPrice(line)) && !isMetered(line, context) ? idOfPrice(line) : undefined

/** Returns whether the quantity of a line is not an integer. */
export const hasFractionalQuantity = (line: Json): boolean =>
  !Number.isInteger(Number(valueAt(line, 'quantity_decimal', 'quantity') ?? 0))

export const lineTable: Table = {
  id: value('id'),
  amount: money('amount'),
  currency: value('currency'),
  quantity: (line) => (hasFractionalQuantity(line) ? undefined : valueAt(line, 'quantity')),
  discount_amount: sum('discount_amounts'),
  tax_amount: sum('taxes', 'tax_amounts'),
  period_start: time('period.start'),
  period_end: time('period.end'),
  interval: (line, context) => recurrenceOf(line, context)?.interval,
  interval_count: (line, context) => recurrenceOf(line, context)?.interval_count,
  type: (line, context) => (isRecurring(line, context) ? 'recurring' : 'one_time'),
  price_id: listedPriceOf,
}
