import { about } from '../contract/about.ts'
import { hidden, optional } from '../contract/field.ts'
import { count, currency, integer, minorUnits, oneOf, timestamp } from '../contract/fields.ts'
import { lineId, reference } from '../contract/identifiers.ts'
import { intervals, priceTypes } from './price.ts'

const fields = {
  id: lineId(about('The id of the line item: your own, or one that the service assigned.', 'line-1')),
  amount: optional(
    minorUnits(
      about(
        'The amount of the whole line item, all units, before its discount, in minor units (cents); negative for a credit. It includes the tax, unless the total of the invoice adds the tax on top.',
        1999,
      ),
    ),
  ),
  currency: optional(currency(about('The currency of the amounts.', 'EUR'))),
  quantity: optional(integer(about('The units within `amount`, which is the amount of all of them.', 1))),
  discount_amount: optional(minorUnits(about('The discount on `amount`, in minor units (cents).', 200))),
  tax_amount: optional(
    minorUnits(about('The tax on `amount` after its discount, in minor units (cents).', 287)),
  ),
  period_start: optional(
    timestamp(
      about(
        'The start of the billed period. A line item without a period has the period of its invoice.',
        '2026-02-01',
      ),
    ),
  ),
  period_end: optional(
    timestamp(
      about(
        'The end of the billed period, exclusive: the start of the next one. Not before `period_start`.',
        '2026-03-01',
      ),
    ),
  ),
  interval: optional(oneOf('Interval', intervals, about('The unit of time after which it recurs.', 'month'))),
  interval_count: optional(count(about('The number of intervals between two payments.', 1))),
  type: optional(oneOf('PriceType', priceTypes, about('Whether the line item recurs.', 'recurring'))),
  price_id: hidden(optional(reference('price', about('The price that was billed.', 'plan-pro-monthly')))),
}

/** A line item of an invoice. Every field is optional. */
export const lineItem = { name: 'line_item', fields }
