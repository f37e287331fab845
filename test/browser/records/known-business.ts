import type { Client, CreateInvoice } from '../../../client/index.ts'

/** A business that is so small that its figures can be counted by hand, as of noon on Tuesday 16 June 2026. */
export const NOW = new Date('2026-06-16T12:00:00Z')

/** Returns the first day of a month of 2026, such as "04". */
const firstDay = (month: string): string => `2026-${month}-01`

/** Returns the interval of a price, which is in its id if it is a year. */
const intervalOf = (priceId: string) =>
  ({ interval: priceId.includes('year') ? 'year' : 'month', interval_count: 1 }) as const

/** Returns an invoice with one recurring line, for the period from the first day of one month to the first day of another. */
const recurringInvoice = (
  customer: string,
  [from, to]: [string, string],
  total: number,
  priceId: string,
): CreateInvoice => ({
  id: `${customer}-${from}`,
  customer_id: customer,
  subscription_id: customer,
  total,
  currency: priceId.slice(-3),
  created: firstDay(from),
  period_start: firstDay(from),
  period_end: firstDay(to),
  line_items: [{ id: '1', amount: total, price_id: priceId, type: 'recurring', ...intervalOf(priceId) }],
})

const invoices: readonly CreateInvoice[] = [
  // Ann pays monthly, changes her plan after a month, and gets a credit.
  recurringInvoice('ann', ['04', '05'], 3000, 'basic-EUR'),
  recurringInvoice('ann', ['05', '06'], 6000, 'pro-EUR'),
  recurringInvoice('ann', ['06', '07'], 6000, 'pro-EUR'),
  {
    ...recurringInvoice('ann', ['06', '06'], -1000, 'EUR'),
    id: 'credit',
    created: '2026-06-15',
    line_items: [{ id: '1', amount: -1000, type: 'one_time' }],
  },
  // Bob has paid one euro for each day of the year.
  { ...recurringInvoice('bob', ['01', '12'], 36_500, 'basic-year-EUR'), period_end: '2027-01-01' },
  // Cem has left after a month, which was discounted.
  {
    ...recurringInvoice('cem', ['04', '05'], 2000, 'basic-EUR'),
    discounts: ['welcome'],
    line_items: [
      {
        id: '1',
        amount: 2500,
        discount_amount: 500,
        price_id: 'basic-EUR',
        type: 'recurring',
        ...intervalOf('basic-EUR'),
      },
    ],
  },
  // Dee has paid for May afterwards, and left.
  { ...recurringInvoice('dee', ['05', '06'], 3100, 'pro-EUR'), created: firstDay('06') },
  // Eve and Fay pay in yen.
  recurringInvoice('eve', ['06', '07'], 3000, 'basic-JPY'),
  recurringInvoice('fay', ['05', '06'], 3000, 'basic-JPY'),
  recurringInvoice('fay', ['06', '07'], 3000, 'basic-JPY'),
]

/** Records the business. */
export const recordBusiness = async (client: Client): Promise<void> => {
  for (const name of ['Ann', 'Bob', 'Cem', 'Dee', 'Eve', 'Fay'])
    await client.customers.create({ id: name.toLowerCase(), name, email: `${name}@example.org` })
  for (const name of ['Basic', 'Pro']) await client.products.create({ id: name.toLowerCase(), name })
  const prices = { 'basic-EUR': 3000, 'basic-year-EUR': 36_500, 'pro-EUR': 6000, 'basic-JPY': 3000 }
  for (const [id, price] of Object.entries(prices))
    await client.prices.create({
      id,
      price,
      product_id: id.split('-')[0]!,
      currency: id.slice(-3),
      type: 'recurring',
      ...intervalOf(id),
    })
  const welcome = { id: 'welcome', name: 'Welcome', amount_off: 500, currency: 'EUR' }
  await client.discounts.create({ ...welcome, duration: 'once' })
  for (const invoice of invoices) await client.invoices.create(invoice)
}
