import { about } from '../contract/about.ts'
import { hidden, optional } from '../contract/field.ts'
import { count, currency, integer, minorUnits, oneOf, timestamp } from '../contract/fields.ts'
import { lineId, reference } from '../contract/identifiers.ts'
import { intervals, priceTypes } from './price.ts'

const fields = {
  id: lineId(about('The id of the line: your own, or one that we generated.', 'line-1')),
  amount: optional(
    minorUnits(
      about(
        'What the line comes to before its discount, in minor units (cents); negative for a credit. A tax is within it, unless the total of the invoice adds it on top.',
        1999,
      ),
    ),
  ),
  currency: optional(currency(about('The currency of the amounts.', 'EUR'))),
  quantity: optional(integer(about('How many.', 1))),
  discount_amount: optional(minorUnits(about('The discount within `amount`, in minor units (cents).', 200))),
  tax_amount: optional(
    minorUnits(about('The tax within `amount` after its discount, in minor units (cents).', 287)),
  ),
  period_start: optional(
    timestamp(
      about('When the billed period starts. Without a period, it is that of the invoice.', '2026-02-01'),
    ),
  ),
  period_end: optional(
    timestamp(
      about(
        'The end of the billed period: the first moment that is no longer paid for; not before it starts.',
        '2026-03-01',
      ),
    ),
  ),
  interval: optional(oneOf('Interval', intervals, about('The unit of time after which it recurs.', 'month'))),
  interval_count: optional(count(about('How many intervals pass each time.', 1))),
  type: optional(oneOf('PriceType', priceTypes, about('Whether it recurs.', 'recurring'))),
  price_id: hidden(optional(reference('price', about('The price that was billed.', 'plan-pro-monthly')))),
}

/** A line of an invoice: every field optional and nullable. */
export const lineItem = { name: 'line_item', fields }
