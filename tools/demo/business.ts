import type { Seed } from '../testing/options.ts'
import { type Bill, billsOf, type CreateInvoice } from './billing.ts'
import type { Day } from './calendar.ts'
import { discounts } from './coupons.ts'
import { type CreateCustomer, customersOf } from './customers.ts'
import { prices, products } from './plans.ts'

const MONTHS = 36

/** Returns the first month of a business that is three years old in the month of `now` (milliseconds since the epoch). Months are counted from January 1970. */
export const firstMonthOfBusiness = (now: number): number => {
  const date = new Date(now)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth() - (MONTHS - 1)
}

/** All that the business has recorded: bodies of creates. The customers and invoices are in the order of their creation. */
export interface Business extends Seed {
  readonly customers: readonly (CreateCustomer & { readonly created: Day })[]
  readonly invoices: readonly (CreateInvoice & { readonly created: Day })[]
}

interface CustomerBill {
  readonly customerId: string
  readonly bill: Bill
}

/** Returns invoices with their numbers, such as `2026-0042`: those of a year are numbered in the order of their creation. */
const numbered = (bills: readonly CustomerBill[]) => {
  const last = new Map<string, number>()
  return bills.map(({ customerId, bill }) => {
    const year = bill.created.slice(0, 4)
    const number = (last.get(year) ?? 0) + 1
    last.set(year, number)
    return { ...bill, id: `${year}-${String(number).padStart(4, '0')}`, customer_id: customerId }
  })
}

/**
 * Returns all that the demo business has recorded up to a day, that day included: some 120 customers over three years, with
 * prorated upgrades, pauses, churn, coupons, credits, refunds and yearly renewals. It is the same in every run, and that of
 * a later day has the same records and more.
 * @param firstMonth the month in which the business began, counted from January 1970
 */
export const businessUntil = (firstMonth: number, today: Day): Business => {
  const customers = customersOf(firstMonth).filter(({ joined }) => joined <= today)
  const bills = customers.flatMap(({ body, subscriptions }) =>
    subscriptions
      .flatMap((subscription) => billsOf(subscription, today))
      .map((bill): CustomerBill => ({ customerId: body.id, bill })),
  )
  // The sort is stable: bills of one day are in the order of their customers.
  const inOrder = bills.sort((a, b) => a.bill.created.localeCompare(b.bill.created))
  return {
    products,
    prices,
    discounts,
    customers: customers.map(({ body }) => body),
    invoices: numbered(inOrder),
  }
}
