import { historyOf, MONTHS } from './customer-history.ts'
import { dayOfMonth, invoicesOf, usageInvoice } from './invoices.ts'
import { prices, products } from './plans.ts'

const CUSTOMERS = 24

/**
 * The first two years of a business, up to the month of `now` (milliseconds since the epoch) and the same for
 * every time in it: 24 customers in three currencies, with trials, prorated upgrades, pauses, second
 * subscriptions, yearly plans, churn, discounts, credits, value-added tax and an invoice of 250 lines.
 */
export const scenario = (now: number) => {
  const date = new Date(now)
  const firstMonth = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth() - (MONTHS - 1)
  const histories = Array.from({ length: CUSTOMERS }, (_, index) => historyOf(index + 1, firstMonth))
  const invoices = [...histories.flatMap(invoicesOf), usageInvoice(histories[0]!)]
  return {
    products,
    prices,
    customers: histories.map(({ number, start }) => ({
      id: `customer-${number}`,
      name: `Customer ${number}`,
      email: `customer-${number}@example.org`,
      created: dayOfMonth(firstMonth + start),
      metadata: { seats: 1 + (number % 5) },
    })),
    discounts: [
      { id: 'welcome', name: 'Welcome', duration: 'once' as const, percent_off: 10, currency: 'EUR' },
    ],
    invoices: invoices.sort((a, b) => Number(new Date(a.created)) - Number(new Date(b.created))),
  }
}
