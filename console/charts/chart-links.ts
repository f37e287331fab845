import { type Month, monthName } from '../../client/analytics/index.ts'
import { linkTo } from '../frame/address.ts'
import { type Months, monthsParameter } from '../text/time-span.ts'

/** Returns a function that returns the link to a month's invoices in a currency. */
export const invoicesOfMonth = (currency: string) => (month: Month) =>
  linkTo(['invoices'], { currency, within: monthName(month) })

/** Returns a function that returns the link to the subscriptions that are expected to renew in a month, in a currency. */
export const renewalsOfMonth = (currency: string) => (month: Month) =>
  linkTo(['subscriptions'], { currency, renews: monthName(month) })

/**
 * Returns a function that returns the link to the customers with a kind of change in a month. `kind` is "new", "reactivated" or
 * "lost", for changes in all currencies together, or the kind of a movement in one currency, with "began" for "new".
 */
export const customersWhoChanged =
  (kind: string, currency = '') =>
  (month: Month) =>
    customersWhoChangedWithin(kind, currency)({ first: month, count: 1 })

/** The same as `customersWhoChanged`, for a month, quarter or year. */
export const customersWhoChangedWithin =
  (kind: string, currency = '') =>
  (months: Months) =>
    linkTo(['customers'], { currency, moved: kind, month: monthsParameter(months) })

/** Returns the link to the list of customers, those with the highest billed amount first. */
export const customersByBilled = (currency: string): string =>
  linkTo(['customers'], { currency, sort: '-billed' })

/** Returns the link to the customers with a value of a key of the metadata. */
export const customersOfSegment = (currency: string, key: string, value: string): string =>
  linkTo(['customers'], { currency, by: key, segment: value })
