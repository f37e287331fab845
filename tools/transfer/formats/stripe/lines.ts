import {
  amountFrom,
  type FieldReader,
  type FieldReaders,
  type MappingContext,
  sumFrom,
  timeFrom,
  valueFrom,
} from './mapping-context.ts'
import { idAt, refuse, type StripeObject, valueAt } from './values.ts'

const prorationPaths = ['proration', 'subscription_item_details.proration', 'invoice_item_details.proration']

/** The paths of a line's price, as an id or embedded. */
const pricePaths = ['pricing.price_details.price', 'price', 'plan']

const priceIdOf = (line: StripeObject): string => String(idAt(line, ...pricePaths))

/** `interval`, `interval_count` and `usage_type`; undefined if they are unknown. */
const priceRecurrence = (line: StripeObject, { recurrence }: MappingContext): StripeObject | undefined => {
  const price = valueAt(line, ...pricePaths)
  const embedded = valueAt(price, 'recurring') ?? valueAt(line, 'plan')
  return (embedded as StripeObject | undefined) ?? recurrence(priceIdOf(line))
}

/** Metered usage does not recur by itself. */
export const isMetered = (line: StripeObject, context: MappingContext): boolean =>
  valueAt(priceRecurrence(line, context), 'usage_type') === 'metered'

const isOfSubscription = (line: StripeObject): boolean =>
  line.type === 'subscription' || valueAt(line, 'parent.type') === 'subscription_item_details'

const isProration = (line: StripeObject): boolean =>
  line.proration === true || valueAt(line.parent, ...prorationPaths) === true

/** Whether a line bills a period of a subscription and is neither a proration nor metered usage. */
export const isRecurring = (line: StripeObject, context: MappingContext): boolean =>
  isOfSubscription(line) && !isProration(line) && !isMetered(line, context)

/** Undefined for a line that does not recur. Throws Refusal if it is unknown. */
const recurrenceOf = (line: StripeObject, context: MappingContext): StripeObject | undefined => {
  if (!isRecurring(line, context)) return undefined
  return (
    priceRecurrence(line, context) ??
    refuse("The interval of a line's price is unknown: import the prices in the same command.")
  )
}

/**
 * Reads the price of a line, if the import records it. Metered usage has no price: with a price and a period, it would count as
 * recurring revenue.
 */
const listedPrice: FieldReader = (line, context) => {
  const id = priceIdOf(line)
  const isListed = context.isListed('price', id) || context.isListed('plan', id)
  return isListed && !isMetered(line, context) ? id : undefined
}

export const hasFractionalQuantity = (line: StripeObject): boolean =>
  !Number.isInteger(Number(valueAt(line, 'quantity_decimal', 'quantity') ?? 0))

/** Undefined for a fraction, because it cannot be recorded. */
export const integerQuantity = (line: StripeObject): unknown =>
  hasFractionalQuantity(line) ? undefined : valueAt(line, 'quantity')

export const lineReaders: FieldReaders = {
  id: valueFrom('id'),
  amount: amountFrom('amount'),
  currency: valueFrom('currency'),
  quantity: integerQuantity,
  discount_amount: sumFrom('discount_amounts'),
  tax_amount: sumFrom('taxes', 'tax_amounts'),
  period_start: timeFrom('period.start'),
  period_end: timeFrom('period.end'),
  interval: (line, context) => recurrenceOf(line, context)?.interval,
  interval_count: (line, context) => recurrenceOf(line, context)?.interval_count,
  type: (line, context) => (isRecurring(line, context) ? 'recurring' : 'one_time'),
  price_id: listedPrice,
}
