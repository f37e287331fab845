import { about, example } from '../contract/about.ts'
import { defineCreate, defineList, defineRetrieve } from '../contract/endpoint.ts'
import { descriptive, hidden, optional } from '../contract/field.ts'
import { count, currency, flag, minorUnitsFromZero, oneOf, text } from '../contract/fields.ts'
import { parent } from '../contract/identifiers.ts'
import { onConflictDescriptiveOption } from '../contract/on-conflict.ts'
import { defineResource } from '../contract/resource.ts'
import { when } from '../contract/schema.ts'
import { referencedEntity } from '../includes/referenced-entity.ts'

/** The units of time after which a price or a line item recurs. */
export const intervals = ['day', 'week', 'month', 'year'] as const
/** Whether a price or a line item recurs. */
export const priceTypes = ['recurring', 'one_time'] as const

const interval = oneOf('Interval', intervals, about('The unit of time after which it recurs.', 'month'))
const interval_count = count(about('The number of intervals between two payments.', 1))

/** The price of a product, paid once or again after each interval. */
export const price = defineResource({
  name: 'price',
  plural: 'prices',
  prefix: 'price',
  about: about('The price of a product: paid once, or again after each interval.', 'plan-pro-monthly'),
  fields: {
    product_id: hidden(
      parent(
        'product',
        about('The product that the price belongs to. Returned only by `include=product`.', 'plan-pro'),
      ),
    ),
    title: descriptive(optional(text(5_000, about('The name of the price.', 'Pro, monthly')))),
    currency: currency(about('The currency of the amount.', 'EUR')),
    price: minorUnitsFromZero(about('The amount, in minor units (cents).', 1999)),
    tiered: optional(flag(about('Whether the price has tiers.')), false),
    type: oneOf('PriceType', priceTypes, about('Whether the price recurs.', 'recurring')),
    interval: optional(interval),
    interval_count: optional(interval_count),
  },
  conditions: [
    when('type', ['recurring'], {
      required: { interval: interval.request, interval_count: interval_count.request },
    }),
    when('type', ['one_time'], { forbidden: ['interval', 'interval_count'] }),
  ],
})

const include = {
  product: referencedEntity('product_id', about('The product that the price belongs to.')),
}

/** The endpoints of prices. */
export const prices = {
  list: defineList(price, { include }),
  create: defineCreate(price, {
    about: about(
      'A `recurring` price needs `interval` and `interval_count`; a `one_time` price must not have them. `product_id` must be a recorded product.',
    ),
    examples: {
      recurring: example('A monthly price'),
      one_time: example('A price that is paid once', {
        id: 'plan-pro-setup',
        title: 'Setup',
        price: 9900,
        type: 'one_time',
        interval: undefined,
        interval_count: undefined,
      }),
    },
    options: { on_conflict: onConflictDescriptiveOption(price) },
  }),
  retrieve: defineRetrieve(price, { include }),
}
