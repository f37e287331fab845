import type { Client, CreateInvoice } from '../../../client/index.ts'

/** A business so small that its figures are counted by hand, as of noon on Tuesday, 16 June 2026. */
export const NOW = new Date('2026-06-16T12:00:00Z')

const first = (month: string): string => `2026-${month}-01`

/** An invoice of one recurring line, with a price of its plan, from the first of one month to that of another. */
const bill = (
  customer: string,
  [from, to]: [string, string],
  total: number,
  price: string,
): CreateInvoice => ({
  ...{ id: `${customer}-${from}`, customer_id: customer, subscription_id: customer, total },
  ...{ currency: price.slice(-3), created: first(from), period_start: first(from), period_end: first(to) },
  line_items: [{ id: '1', amount: total, price_id: price, type: 'recurring', ...intervalOf(price) }],
})

const intervalOf = (price: string) =>
  ({ interval: price.includes('year') ? 'year' : 'month', interval_count: 1 }) as const

const invoices: readonly CreateInvoice[] = [
  // Ann pays monthly, changes her plan after a month, and gets a credit.
  bill('ann', ['04', '05'], 3000, 'basic-EUR'),
  bill('ann', ['05', '06'], 6000, 'pro-EUR'),
  bill('ann', ['06', '07'], 6000, 'pro-EUR'),
  {
    ...bill('ann', ['06', '06'], -1000, 'EUR'),
    ...{ id: 'credit', created: '2026-06-15' },
    line_items: [{ id: '1', amount: -1000, type: 'one_time' }],
  },
  // Bob has paid a euro for each day of the year.
  { ...bill('bob', ['01', '12'], 36_500, 'basic-year-EUR'), period_end: '2027-01-01' },
  // Cem has left after a month, which was discounted.
  {
    ...bill('cem', ['04', '05'], 2000, 'basic-EUR'),
    discounts: ['welcome'],
    line_items: [
      {
        ...{ id: '1', amount: 2500, discount_amount: 500, price_id: 'basic-EUR', type: 'recurring' },
        ...intervalOf(''),
      },
    ],
  },
  // Dee has paid for May afterwards, and left.
  { ...bill('dee', ['05', '06'], 3100, 'pro-EUR'), created: first('06') },
  // Eve and Fay pay in yen.
  bill('eve', ['06', '07'], 3000, 'basic-JPY'),
  bill('fay', ['05', '06'], 3000, 'basic-JPY'),
  bill('fay', ['06', '07'], 3000, 'basic-JPY'),
]

/** Records the business. */
export const recordBusiness = async (client: Client): Promise<void> => {
  for (const name of ['Ann', 'Bob', 'Cem', 'Dee', 'Eve', 'Fay'])
    await client.customers.create({ id: name.toLowerCase(), name, email: `${name}@example.org` })
  for (const name of ['Basic', 'Pro']) await client.products.create({ id: name.toLowerCase(), name })
  const prices = { 'basic-EUR': 3000, 'basic-year-EUR': 36_500, 'pro-EUR': 6000, 'basic-JPY': 3000 }
  for (const [id, price] of Object.entries(prices))
    await client.prices.create({
      ...{ id, price, product_id: id.split('-')[0]!, currency: id.slice(-3), type: 'recurring' },
      ...intervalOf(id),
    })
  const welcome = { id: 'welcome', name: 'Welcome', amount_off: 500, currency: 'EUR' }
  await client.discounts.create({ ...welcome, duration: 'once' })
  for (const invoice of invoices) await client.invoices.create(invoice)
}
