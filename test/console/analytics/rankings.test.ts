import fc from 'fast-check'
import {
  billedByPlan,
  discountedByDiscount,
  invoicedByCustomer,
  type Ranking,
} from '../../../console/analytics.ts'
import { discountOf, history, invoiceOf, lineOf, priceOf } from './invoices.ts'

const textOf = (rankings: readonly Ranking[]): string[] =>
  rankings.flatMap(({ currency, rows }) => rows.map(({ key, amount }) => `${key} ${amount} ${currency}`))

const welcome = discountOf('d1', 'Welcome')
const loyal = discountOf('d2', 'Loyal')

describe('rankings', () => {
  it('say who pays most, in each currency', () => {
    const invoices = [
      invoiceOf({ customer_id: 'ann', total: 500 }),
      invoiceOf({ customer_id: 'bob', total: 900 }),
      invoiceOf({ customer_id: 'ann', total: 600 }),
      invoiceOf({ customer_id: 'bob', total: 70_000, currency: 'JPY' }),
    ]
    expect(textOf(invoicedByCustomer(invoices))).toEqual(['ann 1100 EUR', 'bob 900 EUR', 'bob 70000 JPY'])
  })

  it('say what was billed for each plan, after discounts', () => {
    const pro = priceOf('Pro')
    const line_items = [
      lineOf({ amount: 1000, discount_amount: 100, price: pro }),
      lineOf({ amount: 300, type: 'one_time', price: pro }),
      lineOf({ amount: 50 }),
      lineOf({ amount: 5, currency: 'USD', price: pro }),
    ]
    expect(textOf(billedByPlan([invoiceOf({ line_items })]))).toEqual([
      'Pro 1200 EUR',
      'No plan named 50 EUR',
      'Pro 5 USD',
    ])
  })

  it('say what each discount took off, and what several took together', () => {
    const off = (discount_amount: number | null) => [lineOf({ discount_amount })]
    const invoices = [
      invoiceOf({ discounts: [welcome], line_items: [...off(30), ...off(20)] }),
      invoiceOf({ discounts: [welcome, loyal], line_items: off(10) }),
      invoiceOf({ discounts: [loyal, welcome], line_items: off(5) }),
      invoiceOf({ discounts: [], line_items: off(7) }),
      invoiceOf({ discounts: [loyal], line_items: off(null) }),
    ]
    expect(textOf(discountedByDiscount(invoices))).toEqual([
      'Welcome 50 EUR',
      'Loyal + Welcome 15 EUR',
      'No discount named 7 EUR',
    ])
  })

  it('lose and add nothing, for any history', () => {
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
    fc.assert(
      fc.property(history, (invoices) => {
        const ranked = invoicedByCustomer(invoices)
        for (const currency of ['EUR', 'JPY']) {
          const rows = ranked.find((each) => each.currency === currency)?.rows ?? []
          const totals = invoices.filter((each) => each.currency === currency).map(({ total }) => total)
          expect(sum(rows.map(({ amount }) => amount))).toBe(sum(totals))
          expect(rows.map(({ amount }) => amount)).toEqual(
            rows.map(({ amount }) => amount).toSorted((a, b) => b - a),
          )
        }
      }),
    )
  })
})
