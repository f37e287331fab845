import { type Bill, billsOf } from './billing.ts'
import { type Day, dayOf, monthOfDay } from './calendar.ts'
import { businessDiscounts } from './coupons.ts'
import { customersOf } from './customers.ts'
import { businessPrices, businessProducts } from './plans.ts'

const MONTHS = 36

/** Three years before the month of `today`, counted from January 1970. */
export const firstMonthOfBusiness = (today: Day): number => monthOfDay(today) - (MONTHS - 1)

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
 * All that the invented business has recorded up to a day, that day included: some 120 customers, most of whom
 * join in its first three years, with trials, prorated upgrades, pauses, churn, coupons, credits, refunds and
 * yearly renewals. Every run returns the same records, and a later day only adds records. Customers and invoices
 * are in the order of their creation. `firstMonth` is counted from January 1970.
 */
export const businessUntil = (firstMonth: number, today: Day) => {
  const customers = customersOf(firstMonth).filter(({ joined }) => joined <= today)
  const bills = customers.flatMap(({ body, subscriptions }) =>
    subscriptions
      .flatMap((subscription) => billsOf(subscription, today))
      .map((bill): CustomerBill => ({ customerId: body.id, bill })),
  )
  // The sort is stable: bills of one day are in the order of their customers.
  const orderedBills = bills.sort((a, b) => a.bill.created.localeCompare(b.bill.created))
  return {
    products: businessProducts,
    prices: businessPrices,
    discounts: businessDiscounts,
    customers: customers.map(({ body }) => body),
    invoices: numberInvoices(orderedBills),
  }
}

export type Business = ReturnType<typeof businessUntil>

/** The first three years of the business, up to the day of `now` (milliseconds since the epoch). */
export const businessAt = (now: number): Business =>
  businessUntil(firstMonthOfBusiness(dayOf(now)), dayOf(now))
