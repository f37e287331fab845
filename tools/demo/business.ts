import type { Seed } from '../testing/options.ts'
import { type Bill, billsOf, type CreateInvoice } from './billing.ts'
import type { Day } from './calendar.ts'
import { discounts } from './coupons.ts'
import type { CreateCustomer } from './customer.ts'
import { customersOf } from './customers.ts'
import { prices, products } from './plans.ts'

const MONTHS = 36

/** Three years before the month of `now` (milliseconds since the epoch), counted from January 1970. */
export const firstMonthOfBusiness = (now: number): number => {
  const date = new Date(now)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth() - (MONTHS - 1)
}

/** Customers and invoices are in the order of their creation. */
export interface Business extends Seed {
  readonly customers: readonly (CreateCustomer & { readonly created: Day })[]
  readonly invoices: readonly (CreateInvoice & { readonly created: Day })[]
}

interface CustomerBill {
  readonly customerId: string
  readonly bill: Bill
}

/** Such as `2026-0042`, beginning with 1 in each year. */
const numberInvoices = (bills: readonly CustomerBill[]) => {
  const lastNumbers = new Map<string, number>()
  return bills.map(({ customerId, bill }) => {
    const year = bill.created.slice(0, 4)
    const number = (lastNumbers.get(year) ?? 0) + 1
    lastNumbers.set(year, number)
    return { ...bill, id: `${year}-${String(number).padStart(4, '0')}`, customer_id: customerId }
  })
}

/**
 * All that the demo business has recorded up to a day, that day included: some 120 customers over three
 * years, with prorated upgrades, pauses, churn, coupons, credits, refunds and yearly renewals. The same in
 * every run; a later day has the same records and more. `firstMonth` is counted from January 1970.
 */
export const businessUntil = (firstMonth: number, today: Day): Business => {
  const customers = customersOf(firstMonth).filter(({ joined }) => joined <= today)
  const bills = customers.flatMap(({ body, subscriptions }) =>
    subscriptions
      .flatMap((subscription) => billsOf(subscription, today))
      .map((bill): CustomerBill => ({ customerId: body.id, bill })),
  )
  // The sort is stable: bills of one day are in the order of their customers.
  const orderedBills = bills.sort((a, b) => a.bill.created.localeCompare(b.bill.created))
  return {
    products,
    prices,
    discounts,
    customers: customers.map(({ body }) => body),
    invoices: numberInvoices(orderedBills),
  }
}
