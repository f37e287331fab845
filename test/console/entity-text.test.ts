import { discountTermsText } from '../../console/records/entity-text.ts'

const percentage = { percent_off: 20, amount_off: null, currency: 'XXX', duration_in_months: null }
const amount = { percent_off: null, amount_off: 500, currency: 'EUR', duration_in_months: null }

it.each([
  [{ ...percentage, duration: 'forever' }, '20% off, forever'],
  [{ ...percentage, duration: 'repeating', duration_in_months: 3 }, '20% off, for 3 months'],
  [{ ...percentage, duration: 'repeating', duration_in_months: 1 }, '20% off, for 1 month'],
  [{ ...amount, duration: 'once' }, '€5.00 off, once'],
])('the terms of the discount %j are "%s"', (discount, expected) =>
  expect(discountTermsText(discount)).toBe(expected),
)
