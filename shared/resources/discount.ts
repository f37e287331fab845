import { about, example } from '../contract/about.ts'
import { defineCreate, defineList, defineRetrieve } from '../contract/endpoint.ts'
import { descriptive, optional } from '../contract/field.ts'
import { currency, minorUnitsFromZero, months, oneOf, percent, text } from '../contract/fields.ts'
import { onConflictDescriptiveOption } from '../contract/on-conflict.ts'
import { defineResource } from '../contract/resource.ts'
import { when } from '../contract/schema.ts'

const duration_in_months = months(about('The number of months for which a `repeating` discount applies.', 3))
const percent_off = percent(about('The percentage taken off.', 10))
const expects = 'exactly one of amount_off, percent_off'

/** A reduction of invoices, by an amount or a percentage. */
export const discount = defineResource({
  name: 'discount',
  plural: 'discounts',
  prefix: 'disc',
  about: about('A reduction of an invoice, by an amount or a percentage.', 'SPRING26'),
  fields: {
    name: descriptive(text(5_000, about('The name of the discount.', 'Spring 2026'))),
    duration: oneOf(
      'DiscountDuration',
      ['once', 'repeating', 'forever'],
      about('How often the discount applies: to one invoice, for some months, or always.', 'repeating'),
    ),
    duration_in_months: optional(duration_in_months),
    amount_off: optional(minorUnitsFromZero(about('The amount taken off, in minor units (cents).'))),
    percent_off: optional(percent_off),
    currency: currency(
      about('The currency of the amount.', 'EUR'),
      ', or "XXX" (no currency) with a percentage',
    ),
  },
  conditions: [
    when('duration', ['repeating'], { required: { duration_in_months: duration_in_months.request } }),
    when('duration', ['once', 'forever'], { forbidden: ['duration_in_months'] }),
    { ...when('amount_off', 'absent', { required: { percent_off: percent_off.request } }), expects },
    { ...when('amount_off', 'given', { forbidden: ['percent_off'] }), expects },
  ],
})

/** The endpoints of discounts. */
export const discounts = {
  list: defineList(discount),
  create: defineCreate(discount, {
    about: about(
      'Exactly one of `amount_off` and `percent_off` is given. A `repeating` discount needs `duration_in_months`; other discounts must not have it.',
    ),
    examples: {
      percent: example('A tenth off for three months'),
      amount: example('Five euros off, once', {
        id: 'WELCOME',
        name: 'Welcome',
        duration: 'once',
        duration_in_months: undefined,
        amount_off: 500,
        percent_off: undefined,
      }),
    },
    options: { on_conflict: onConflictDescriptiveOption(discount) },
  }),
  retrieve: defineRetrieve(discount),
}
