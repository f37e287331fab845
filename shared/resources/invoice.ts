import { about, example } from '../contract/about.ts'
import { defineCreate, defineList, defineRetrieve } from '../contract/endpoint.ts'
import { hidden, optional } from '../contract/field.ts'
import { currency, minorUnits, objectList, timestamp } from '../contract/fields.ts'
import { parent, referenceOrNew, references } from '../contract/identifiers.ts'
import { defineResource } from '../contract/resource.ts'
import { forEachItem, periodOrderRule } from '../contract/rules.ts'
import { listedEntity } from '../includes/listed-entity.ts'
import { ownField } from '../includes/own-field.ts'
import { referencedEntity } from '../includes/referenced-entity.ts'
import { lineItem } from './line-item.ts'

/** A bill of a customer for a period, with its line items. */
export const invoice = defineResource({
  name: 'invoice',
  plural: 'invoices',
  prefix: 'inv',
  about: about(
    'A bill with its line items. An invoice is stored as you send it; its total is never recomputed.',
    '2026-0007',
  ),
  fields: {
    total: minorUnits(
      about(
        'The total in minor units (cents): the line items less their discounts; negative for a credit.',
        1799,
      ),
    ),
    created: timestamp(about('The time at which the invoice was created.', '2026-02-01')),
    period_start: timestamp(about('The start of the billed period.', '2026-02-01')),
    period_end: timestamp(
      about(
        'The end of the billed period, exclusive: the start of the next one. Not before `period_start`.',
        '2026-03-01',
      ),
    ),
    currency: currency(about('The currency of the amounts.', 'EUR')),
    customer_id: parent('customer', about('The customer who is billed.', 1042)),
    subscription_id: referenceOrNew(
      'subscription',
      'customer_id',
      about('The subscription that is billed.', 'sub-1042-pro'),
    ),
    discounts: hidden(
      optional(
        references(
          'discount',
          50,
          about('The discounts that were applied. Returned only by `include=discounts`.', ['SPRING26']),
        ),
        [],
      ),
    ),
    line_items: hidden(
      optional(
        objectList(
          lineItem,
          1_000,
          about('The line items of the invoice, in the order in which you sent them.'),
        ),
        [],
      ),
    ),
  },
  rules: [periodOrderRule, forEachItem('line_items', periodOrderRule)],
})

const include = {
  line_items: ownField('line_items'),
  subscription: referencedEntity('subscription_id', about('The subscription that is billed.')),
  customer: referencedEntity('customer_id', about('The customer who is billed.')),
  discounts: referencedEntity('discounts', about('The discounts that were applied.')),
  price: listedEntity(
    { within: 'line_items', field: 'price_id' },
    about(
      'The price that was billed, with its product; null if the line item has none. Returned only by `include=price`.',
    ),
  ),
}

/** The endpoints of invoices. */
export const invoices = {
  list: defineList(invoice, { include }),
  create: defineCreate(invoice, {
    about: about(
      'The customer, the discounts and the prices of line items must already be recorded. A subscription starts with the first invoice that refers to it, and belongs to the customer of that invoice. A period must not end before it starts.',
    ),
    examples: {
      with_lines: example('With a line item and a discount'),
      plain: example('The total only', {
        id: '2026-0006',
        total: 1999,
        discounts: undefined,
        line_items: undefined,
      }),
    },
  }),
  retrieve: defineRetrieve(invoice, { include }),
}
