import {
  type CustomerChange,
  type Month,
  type MovementKind,
  monthName,
} from '../../client/analytics/index.ts'
import { linkTo } from '../frame/address.ts'
import { type Months, monthsParameter } from '../text/time-span.ts'

/** Returns a function that returns the link to a month's invoices in a currency. */
export const invoicesOfMonth = (currency: string) => (month: Month) =>
  linkTo(['invoices'], { currency, within: monthName(month) })

/** Returns a function that returns the link to the subscriptions that are expected to renew in a month, in a currency. */
export const renewalsOfMonth = (currency: string) => (month: Month) =>
  linkTo(['subscriptions'], { currency, renews: monthName(month) })

/** Returns a function that returns the link to the movements of a month, quarter or year in a currency: of one kind, or of all. */
export const movementsWithin = (currency: string, kind?: MovementKind) => (months: Months) =>
  linkTo(['movements'], { currency, kind, within: monthsParameter(months) })

/** The same as `movementsWithin`, for a month. */
export const movementsOfMonth = (currency: string, kind?: MovementKind) => (month: Month) =>
  movementsWithin(currency, kind)({ first: month, count: 1 })

/** Returns a function that returns the link to the movements of the customers with a change in all currencies together. */
export const customersWhoChangedWithin = (change: CustomerChange['kind']) => (months: Months) =>
  linkTo(['movements'], { currency: '', customers: change, within: monthsParameter(months) })

/** The same as `customersWhoChangedWithin`, for a month. */
export const customersWhoChanged = (change: CustomerChange['kind']) => (month: Month) =>
  customersWhoChangedWithin(change)({ first: month, count: 1 })

/** Returns the link to the list of customers, those with the highest billed amount first. */
export const customersByBilled = (currency: string): string =>
  linkTo(['customers'], { currency, sort: '-billed' })

/** Returns the link to the customers with a value of a key of the metadata. */
export const customersOfSegment = (currency: string, key: string, value: string): string =>
  linkTo(['customers'], { currency, by: key, segment: value })
