import type { Entity } from '../../../console/records/entities.ts'
import { filledCopy, invoice, NOW as NOW_SECONDS } from './copy-in-memory.ts'

const ann = { id: 'ann', external_id: 'own-ann', name: 'Ann', email: null }
const bob = { id: 'bob', external_id: 'own-bob', name: 'Bob', email: null }

/** Adds products and prices to a copy, which has read them completely. */
const addCatalogue = async (
  copy: Awaited<ReturnType<typeof filledCopy>>,
  products: readonly object[],
  prices: readonly object[],
) => {
  const after = { since: NOW_SECONDS, asOf: NOW_SECONDS }
  const requestedAt = Date.now()
  await copy.write('products', { items: products as Entity[], requestedAt }, after)
  await copy.write('prices', { items: prices as Entity[], requestedAt }, after)
}

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
    const copy = await filledCopy(
      [ann, bob],
      // Ann had another price before.
      [
        invoice('old', { days: 31, total: 3900 }),
        invoice('ann'),
        invoice('bob', { customer: 'bob', total: 9900 }),
        invoice('yen', { customer: 'cy', currency: 'JPY', total: 700 }),
      ],
    )
    const products = [
      { id: 'Pro', name: 'Pro' },
      { id: 'Gift', name: 'Gift' },
    ]
    await addCatalogue(copy, products, [price(4900), price(9900), price(3900), price(700, 'JPY')])
    const { currency, currencies, rows, sums } = copy.answer('products', {})
    expect({ currency, currencies }).toEqual({ currency: 'EUR', currencies: ['EUR', 'JPY'] })
    expect(
      rows.map(({ isPrice, label, customers, monthly, billed }) => ({
        isPrice,
        label,
        customers,
        monthly,
        billed,
      })),
    ).toEqual([
      { isPrice: false, label: 'Pro', customers: 2, monthly: 14800, billed: 18700 },
      { isPrice: true, label: '€99.00 monthly', customers: 1, monthly: 9900, billed: 9900 },
      { isPrice: true, label: '€49.00 monthly', customers: 1, monthly: 4900, billed: 4900 },
      { isPrice: false, label: 'Gift', customers: 0, monthly: 0, billed: 0 },
    ])
    expect(sums).toEqual({ customers: 2, monthly: 14800, billed: 18700 })
    const inYen = copy.answer('products', { currency: 'JPY' })
    expect(inYen.rows.filter(({ isPrice }) => isPrice)).toMatchObject([{ customers: 1, monthly: 700 }])
  })
})

describe('the discounts', () => {
  const terms = { percent_off: 10, amount_off: null, currency: 'EUR' }
  const discounted = (id: string, customer: string, days: number, discountId: string) => {
    const plain = invoice(id, { customer, days })
    const line_items = [{ ...plain.line_items[0]!, discount_amount: 500 }]
    return { ...plain, line_items, discounts: [{ id: discountId, name: discountId }] }
  }

  it('have their terms, their use, their next end and their cost, in 12 months and in all', async () => {
    const copy = await filledCopy(
      [ann, bob],
      [
        discounted('ann-old', 'ann', 400, 'loyal'),
        discounted('ann-now', 'ann', 0, 'loyal'),
        discounted('bob-before', 'bob', 30, 'spring'),
        discounted('bob-now', 'bob', 0, 'spring'),
        invoice('yen', { customer: 'cy', currency: 'JPY' }),
      ],
      [
        { id: 'loyal', name: 'Loyal', duration: 'forever', duration_in_months: null, ...terms },
        { id: 'spring', name: 'Spring', duration: 'repeating', duration_in_months: 3, ...terms },
        { id: 'unused', name: 'Unused', duration: 'once', duration_in_months: null, ...terms },
      ],
    )
    const { rows, recentCost, recentFullAmount } = copy.answer('discounts', { currency: 'EUR' })
    // Spring ends three months after its first invoice of 16 May.
    const nextEnd = Date.UTC(2026, 7, 16, 12) / 1000
    expect(rows).toEqual([
      {
        id: 'spring',
        label: 'Spring',
        terms: '10% off, for 3 months',
        customers: 1,
        running: 1,
        nextEnd,
        recentCost: 1000,
        cost: 1000,
      },
      {
        id: 'loyal',
        label: 'Loyal',
        terms: '10% off, forever',
        customers: 1,
        running: 1,
        nextEnd: undefined,
        recentCost: 500,
        cost: 1000,
      },
      {
        id: 'unused',
        label: 'Unused',
        terms: '10% off, once',
        customers: 0,
        running: 0,
        nextEnd: undefined,
        recentCost: 0,
        cost: 0,
      },
    ])
    expect({ recentCost, recentFullAmount }).toEqual({ recentCost: 1500, recentFullAmount: 3 * 4900 })
  })

  it('have the subscriptions that they run for, of which the next end is first', async () => {
    const copy = await filledCopy(
      [ann, bob],
      [
        discounted('ann-first', 'ann', 60, 'spring'),
        discounted('ann-now', 'ann', 0, 'spring'),
        discounted('bob-now', 'bob', 0, 'spring'),
        invoice('without', { customer: 'cy' }),
      ],
      [{ id: 'spring', name: 'Spring', duration: 'repeating', duration_in_months: 3, ...terms }],
    )
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
      ['Ann', Date.UTC(2026, 6, 16, 12) / 1000, { amount: 4400, currency: 'EUR' }],
      ['Bob', Date.UTC(2026, 8, 15, 12) / 1000, { amount: 4400, currency: 'EUR' }],
    ])
  })

  it('of one invoice cost together what it takes off, once', async () => {
    const both = discounted('both', 'ann', 0, 'loyal')
    const discounts = [...both.discounts, { id: 'spring', name: 'Spring' }]
    const names = ['Loyal', 'Spring'].map((name) => ({
      id: name.toLowerCase(),
      name,
      duration: 'forever',
      duration_in_months: null,
      ...terms,
    }))
    const copy = await filledCopy([ann], [{ ...both, discounts }], names)
    const { rows, recentCost } = copy.answer('discounts', {})
    expect({ costs: rows.map((row) => row.recentCost), recentCost }).toEqual({
      costs: [500, 500],
      recentCost: 500,
    })
  })

  it('do not run for a subscription whose latest invoice is without them', async () => {
    const copy = await filledCopy(
      [ann],
      [discounted('before', 'ann', 30, 'loyal'), invoice('now')],
      [{ id: 'loyal', name: 'Loyal', duration: 'once', duration_in_months: null, ...terms }],
    )
    expect(copy.answer('discounts', {}).rows).toMatchObject([
      { customers: 1, running: 0, nextEnd: undefined },
    ])
  })
})
