import type { ValueOf } from '../contract/schema.ts'
import type { customers } from '../resources/customer.ts'
import type { discounts } from '../resources/discount.ts'
import type { invoices } from '../resources/invoice.ts'
import type { prices } from '../resources/price.ts'
import type { products } from '../resources/product.ts'

/** One made-up business, so that the examples of all operations belong together; the first of each kind is recorded. */

export const product: ValueOf<typeof products.create.body> = { id: 'plan-pro', name: 'Pro plan' }

export const recurringPrice: ValueOf<typeof prices.create.body> = {
  id: 'plan-pro-monthly',
  product_id: product.id,
  title: 'Pro, monthly',
  currency: 'EUR',
  price: 1999,
  type: 'recurring',
  interval: 'month',
  interval_count: 1,
}

export const oneTimePrice: ValueOf<typeof prices.create.body> = {
  id: 'plan-pro-setup',
  product_id: product.id,
  title: 'Setup',
  currency: 'EUR',
  price: 9900,
  type: 'one_time',
}

export const customer: ValueOf<typeof customers.create.body> = {
  id: 1042,
  name: 'Ann Example',
  email: 'ann@example.org',
  description: 'Met at the trade fair',
  created: '2026-01-15T09:30:00+01:00',
  phone: '+49 30 1234567',
  metadata: { plan: 'pro', seats: 3, newsletter: true },
}

export const customerUpdate: ValueOf<typeof customers.update.body> = {
  id: customer.id,
  email: 'ann@new.example.org',
  phone: null,
}

export const percentDiscount: ValueOf<typeof discounts.create.body> = {
  id: 'SPRING26',
  name: 'Spring 2026',
  duration: 'repeating',
  duration_in_months: 3,
  percent_off: 10,
  currency: 'EUR',
}

export const amountDiscount: ValueOf<typeof discounts.create.body> = {
  id: 'WELCOME',
  name: 'Welcome',
  duration: 'once',
  amount_off: 500,
  currency: 'EUR',
}

const invoiceHead = {
  total: 1799,
  created: '2026-02-01',
  period_start: '2026-02-01',
  period_end: '2026-03-01',
  currency: 'EUR',
  customer_id: customer.id,
  subscription_id: 'sub-1042-pro',
}

export const plainInvoice: ValueOf<typeof invoices.create.body> = {
  id: '2026-0006',
  ...invoiceHead,
  total: 1999,
}

export const invoiceWithLines: ValueOf<typeof invoices.create.body> = {
  id: '2026-0007',
  ...invoiceHead,
  discounts: [percentDiscount.id],
  line_items: [
    {
      id: 'line-1',
      amount: 1999,
      currency: 'EUR',
      quantity: 1,
      discount_amount: 200,
      tax_amount: 287,
      period_start: invoiceHead.period_start,
      period_end: invoiceHead.period_end,
      interval: 'month',
      interval_count: 1,
      type: 'recurring',
    },
  ],
}
