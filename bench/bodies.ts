/** Bodies as clients send them, that everything is measured with. */

/** A customer as a client would record one. */
export const customerBody = (id: string) => ({
  id,
  name: 'Ada Example',
  email: 'ada@example.org',
  description: 'Came by the spring campaign',
  phone: '+49 30 1234567',
  created: '2024-01-31T12:00:00Z',
  metadata: { plan: 'pro', seats: 12, region: 'eu-central' },
})

const line = (number: number) => ({
  id: `line-${number}`,
  amount: 1999,
  currency: 'EUR',
  quantity: 1,
  discount_amount: 200,
  tax_amount: 342,
  period_start: '2024-01-01',
  period_end: '2024-02-01',
  interval: 'month',
  interval_count: 1,
  type: 'recurring',
})

/** An invoice with as many lines, of a customer and a subscription of its own. */
export const invoiceBody = (id: string, lines: number) => ({
  id,
  total: 1999,
  created: '2024-01-01',
  period_start: '2024-01-01',
  period_end: '2024-02-01',
  currency: 'EUR',
  customer_id: 'customer',
  subscription_id: `subscription-${id}`,
  line_items: Array.from({ length: lines }, (_, index) => line(index)),
})

/** A price of the product `product`. */
export const priceBody = (id: string) => ({
  id,
  product_id: 'product',
  title: 'Monthly',
  currency: 'EUR',
  price: 1999,
  type: 'recurring',
  interval: 'month',
  interval_count: 1,
})

/** A discount. */
export const discountBody = (id: string) => ({
  id,
  name: 'Spring',
  duration: 'once',
  percent_off: 10,
  currency: 'EUR',
})
