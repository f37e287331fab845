import {
  type CustomerChange,
  type Month,
  type MovementKind,
  monthName,
} from '../../client/analytics/index.ts'
import { linkTo } from '../frame/address.ts'
import { type Months, monthsParameter } from '../text/time-span.ts'

export const invoicesOfMonth = (currency: string) => (month: Month) =>
  linkTo(['invoices'], { currency, within: monthName(month) })

export const renewalsOfMonth = (currency: string) => (month: Month) =>
  linkTo(['subscriptions'], { currency, renews: monthName(month) })

export const movementsWithin = (currency: string, kind?: MovementKind) => (months: Months) =>
  linkTo(['movements'], { currency, kind, within: monthsParameter(months) })

export const movementsOfMonth = (currency: string, kind?: MovementKind) => (month: Month) =>
  movementsWithin(currency, kind)({ first: month, count: 1 })

/** A function that returns the link to the movements of the customers with a change in all currencies together. */
export const customersWhoChangedWithin = (change: CustomerChange['kind']) => (months: Months) =>
  linkTo(['movements'], { currency: '', customers: change, within: monthsParameter(months) })

export const customersWhoChanged = (change: CustomerChange['kind']) => (month: Month) =>
  customersWhoChangedWithin(change)({ first: month, count: 1 })

export const customersByBilled = (currency: string): string =>
  linkTo(['customers'], { currency, sort: '-billed' })

export const customersOfSegment = (currency: string, key: string, value: string): string =>
  linkTo(['customers'], { currency, by: key, segment: value })
