import { eur, filledCopy, invoice } from './copy-in-memory.ts'

const ann = { id: 'ann', external_id: 'own-ann', name: 'Ann', email: null }
const bob = { id: 'bob', external_id: 'own-bob', name: 'Bob', email: null }

const price = (amount: number, currency = 'EUR') => ({
  id: `price-${amount}-${currency}`,
  title: null,
  price: amount,
  currency,
  interval: 'month',
  interval_count: 1,
})

describe('the products', () => {
  it('have the prices that customers have now, with what each brings, and sums that count a customer once', async () => {
    const invoices = [
      // Ann had another price before.
      invoice('old', { days: 31, total: 3900 }),
      invoice('ann'),
      invoice('bob', { customer: 'bob', total: 9900 }),
      invoice('yen', { customer: 'cy', currency: 'JPY', total: 700 }),
    ]
    const copy = await filledCopy([ann, bob], invoices, {
      products: [
        { id: 'Pro', name: 'Pro' },
        { id: 'Gift', name: 'Gift' },
      ],
      prices: [price(4900), price(9900), price(3900), price(700, 'JPY')],
    })
    const { currency, currencies, rows, sums } = copy.answer('products', {})
    expect({ currency, currencies }).toEqual({ currency: 'EUR', currencies: ['EUR', 'JPY'] })
    const shown = rows.map(({ isPrice, label, customers, monthly, billed }) => [
      isPrice ? 'price' : 'product',
      label,
      customers,
      monthly,
      billed,
    ])
    expect(shown).toEqual([
      ['product', 'Pro', 2, 14800, 18700],
      ['price', '€99.00 monthly', 1, 9900, 9900],
      ['price', '€49.00 monthly', 1, 4900, 4900],
      ['product', 'Gift', 0, 0, 0],
    ])
    expect(sums).toEqual({ customers: 2, monthly: 14800, billed: 18700 })
    const inYen = copy.answer('products', { currency: 'JPY' })
    expect(inYen.rows.filter(({ isPrice }) => isPrice)).toMatchObject([{ customers: 1, monthly: 700 }])
  })
})

describe('the discounts', () => {
  /** Returns a discount of 10% whose id is its name in lower case. */
  const discount = (name: string, duration: string, duration_in_months: number | null = null) => {
    const terms = { percent_off: 10, amount_off: null, currency: 'EUR' }
    return { id: name.toLowerCase(), name, duration, duration_in_months, ...terms }
  }
  const discounted = (id: string, customer: string, days: number, discountId: string) => {
    const plain = invoice(id, { customer, days })
    const line_items = [{ ...plain.line_items[0]!, discount_amount: 500 }]
    return { ...plain, line_items, discounts: [{ id: discountId, name: discountId }] }
  }

  it('have their terms, their use, their next end and their cost, in 12 months and in all', async () => {
    const invoices = [
      discounted('ann-old', 'ann', 400, 'loyal'),
      discounted('ann-now', 'ann', 0, 'loyal'),
      discounted('bob-before', 'bob', 30, 'spring'),
      discounted('bob-now', 'bob', 0, 'spring'),
      invoice('yen', { customer: 'cy', currency: 'JPY' }),
    ]
    const discounts = [
      discount('Loyal', 'forever'),
      discount('Spring', 'repeating', 3),
      discount('Unused', 'once'),
    ]
    const copy = await filledCopy([ann, bob], invoices, { discounts })
    const { rows, recentCost, recentFullAmount } = copy.answer('discounts', { currency: 'EUR' })
    // Spring ends three months after its first invoice of 16 May.
    const nextEnd = Date.UTC(2026, 7, 16, 12) / 1000
    const shown = rows.map(({ label, terms, customers, running, nextEnd, recentCost, cost }) => [
      `${label}: ${terms}`,
      { customers, running, nextEnd, recentCost, cost },
    ])
    expect(shown).toEqual([
      ['Spring: 10% off, for 3 months', { customers: 1, running: 1, nextEnd, recentCost: 1000, cost: 1000 }],
      ['Loyal: 10% off, forever', { customers: 1, running: 1, recentCost: 500, cost: 1000 }],
      ['Unused: 10% off, once', { customers: 0, running: 0, recentCost: 0, cost: 0 }],
    ])
    expect({ recentCost, recentFullAmount }).toEqual({ recentCost: 1500, recentFullAmount: 3 * 4900 })
  })

  it('have the subscriptions that they run for, of which the next end is first', async () => {
    const invoices = [
      discounted('ann-first', 'ann', 60, 'spring'),
      discounted('ann-now', 'ann', 0, 'spring'),
      discounted('bob-now', 'bob', 0, 'spring'),
      invoice('without', { customer: 'cy' }),
    ]
    const discounts = [discount('Spring', 'repeating', 3)]
    const copy = await filledCopy([ann, bob], invoices, { discounts })
    const { columns, rows } = copy.answer('discount', 'spring').subscriptions
    expect(columns.map(({ title }) => title)).toEqual([
      'Customer',
      'Plan',
      'Discount ends',
      'Billed until',
      'Monthly value, net',
    ])
    expect(rows.map(({ cells }) => [cells.customer, cells.ends, cells.monthly])).toEqual([
      // Three months after the first invoices of 16 April and 15 June.
      ['Ann', Date.UTC(2026, 6, 16, 12) / 1000, eur(4400)],
      ['Bob', Date.UTC(2026, 8, 15, 12) / 1000, eur(4400)],
    ])
  })

  it('of one invoice cost together what it takes off, once', async () => {
    const both = discounted('both', 'ann', 0, 'loyal')
    const discounts = [discount('Loyal', 'forever'), discount('Spring', 'forever')]
    const copy = await filledCopy([ann], [{ ...both, discounts }], { discounts })
    const { rows, recentCost } = copy.answer('discounts', {})
    expect({ costs: rows.map((row) => row.recentCost), recentCost }).toEqual({
      costs: [500, 500],
      recentCost: 500,
    })
  })

  it('do not run for a subscription whose latest invoice is without them', async () => {
    const invoices = [discounted('before', 'ann', 30, 'loyal'), invoice('now')]
    const copy = await filledCopy([ann], invoices, { discounts: [discount('Loyal', 'once')] })
    expect(copy.answer('discounts', {}).rows).toMatchObject([
      { customers: 1, running: 0, nextEnd: undefined },
    ])
  })
})
