import {
  explainedMovementsOf,
  type Invoice,
  type Line,
  retentionOver,
} from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, priceOf, seconds } from './invoices.ts'

/** Returns the invoice of a month of 2026 with lines that are for it. */
const invoiceFor = (month: number, lines: readonly Partial<Line>[], fields: Partial<Invoice> = {}) => {
  const period = { period_start: Date.UTC(2026, month - 1) / 1000, period_end: Date.UTC(2026, month) / 1000 }
  const line_items = lines.map((line) => lineOf({ ...period, price: priceOf('Pro'), ...line }))
  return invoiceOf({ created: period.period_start, line_items, ...fields })
}

it('explains a movement by the lines in its currency, with what the customer pays in it before and after', () => {
  const dollars = { amount: 700, currency: 'USD', price: priceOf('Extra') }
  const invoices = [
    invoiceFor(1, [{ amount: 1000 }, dollars]),
    invoiceFor(2, [{ amount: 1500 }, dollars]),
    invoiceFor(3, [{ amount: 1500 }, { ...dollars, amount: 400 }]),
  ]
  const movements = explainedMovementsOf(invoices, seconds('2026-03-15'))
  expect(movements.filter(({ kind }) => kind !== 'new')).toMatchObject([
    {
      currency: 'EUR',
      kind: 'expansion',
      before: 1000,
      after: 1500,
      reasons: [{ kind: 'price', plan: { key: 'Pro' } }],
    },
    {
      currency: 'USD',
      kind: 'contraction',
      before: 700,
      after: 400,
      reasons: [{ kind: 'price', plan: { key: 'Extra' } }],
    },
  ])
})

it('names only the discounts of lines that are discounted', () => {
  const discount = (name: string) => [{ id: name, name }] as Invoice['discounts']
  const invoices = [
    invoiceFor(1, [{ amount: 1000 }]),
    invoiceFor(2, [{ amount: 1000, discount_amount: 100 }], { discounts: discount('Loyal') }),
    invoiceFor(2, [{ amount: 500, discount_amount: 0 }], { discounts: discount('Unused') }),
  ]
  const movement = explainedMovementsOf(invoices, seconds('2026-02-15')).at(-1)!
  expect(movement.reasons).toContainEqual({
    kind: 'discount',
    plan: { key: 'Pro', name: 'Pro' },
    before: null,
    after: 'Loyal',
  })
})

it('compares the customers of some months ago with what they pay now, in each currency', () => {
  const ann = { customer_id: 'ann', subscription_id: 'ann' }
  const bob = { customer_id: 'bob', subscription_id: 'bob' }
  const late = { customer_id: 'late', subscription_id: 'late' }
  const invoices = [
    invoiceFor(1, [{ amount: 1000 }, { amount: 100, currency: 'USD' }], ann),
    invoiceFor(2, [{ amount: 1500 }, { amount: 40, currency: 'USD' }], ann),
    invoiceFor(3, [{ amount: 1500 }, { amount: 40, currency: 'USD' }], ann),
    invoiceFor(1, [{ amount: 500 }], bob),
    invoiceFor(2, [{ amount: 9000 }], late),
  ]
  const now = seconds('2026-03-15')
  expect(retentionOver(invoices, now, { months: 2 })).toMatchObject([
    { currency: 'EUR', start: 1500, kept: 1500, lost: 500, netRetention: 1, grossChurn: 1 / 3 },
    { currency: 'USD', start: 100, kept: 40, lost: 60, netRetention: 0.4, grossChurn: 0.6 },
  ])
  expect(retentionOver(invoices, now)).toMatchObject([
    { start: 0, kept: 0, lost: 0, netRetention: null, grossChurn: null },
    { start: 0 },
  ])
})
