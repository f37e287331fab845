import { create, list, retrieve } from '../contract/endpoint.ts'
import {
  clientId,
  count,
  currency,
  duration,
  minorUnitsFromZero,
  months,
  name,
  nullable,
  percent,
} from '../contract/fields.ts'
import { type Content, resource } from '../contract/resource.ts'
import { object, type ValueOf, when } from '../contract/schema.ts'

/** §2 Discount. */
export const discount = resource({
  name: 'discount',
  plural: 'discounts',
  prefix: 'disc',
  fields: {
    name: nullable(name),
    duration,
    duration_in_months: nullable(count),
    amount_off: nullable(minorUnitsFromZero),
    percent_off: nullable(percent),
    currency,
  },
  kept: {},
})

const body = object(
  {
    id: clientId,
    name,
    duration,
    duration_in_months: nullable(months),
    amount_off: nullable(minorUnitsFromZero),
    percent_off: nullable(percent),
    currency,
  },
  ['id', 'name', 'duration', 'currency'],
  // R7
  [
    when('duration', ['repeating'], { required: { duration_in_months: months } }),
    when('duration', ['once', 'forever'], { forbidden: ['duration_in_months'] }),
    when('amount_off', 'absent', { required: { percent_off: percent } }),
    when('amount_off', 'given', { forbidden: ['percent_off'] }),
  ],
)

/** §4 Discounts. */
export const discounts = {
  list: list(discount),
  create: create(discount, body),
  retrieve: retrieve(discount),
}

/** The discount that a request's body describes. */
export const discountFrom = (request: ValueOf<typeof body>): Content<typeof discount> => ({
  fields: {
    name: request.name,
    duration: request.duration,
    duration_in_months: request.duration_in_months == null ? null : Number(request.duration_in_months),
    amount_off: request.amount_off ?? null,
    percent_off: request.percent_off ?? null,
    currency: request.currency.toUpperCase(),
  },
  kept: {},
})
