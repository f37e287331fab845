import fc from 'fast-check'
import {
  deferredLines,
  type Invoice,
  revenueByMonth,
  taxByMonth,
  taxByQuarter,
  untaxedInvoices,
} from '../../../client/analytics/index.ts'
import { runs } from '../../support/runs.ts'
import { sum } from '../../support/sum.ts'
import { business, NOW, time, zone } from './biller.ts'
import { invoiceOf, lineOf, seconds } from './invoices.ts'

const one = { segmentOf: () => 'all' }

describe('taxes by country and rate', () => {
  it('have nets that add up to what was billed in each month, and the same sums by quarter', () => {
    fc.assert(
      fc.property(business, zone, (invoices, timeZone) => {
        const records = taxByMonth(invoices, NOW, { timeZone, ...one })
        for (const { currency, months } of revenueByMonth(invoices, NOW, timeZone)) {
          const ofCurrency = records.filter((record) => record.currency === currency)
          for (const { month, billed } of months.slice(0, -1)) {
            const ofMonth = ofCurrency.filter((record) => record.month === month)
            expect(sum(ofMonth.map(({ net }) => net))).toBe(billed)
          }
          const quarters = taxByQuarter(invoices, NOW, { timeZone, ...one })
          const ofQuarters = quarters.filter((record) => record.currency === currency)
          for (const field of ['net', 'tax', 'total'] as const)
            expect(sum(ofQuarters.map((record) => record[field]))).toBe(
              sum(ofCurrency.map((record) => record[field])),
            )
        }
      }),
      { numRuns: runs(15, 300) },
    )
  })

  const taxed = (amount: number, tax_amount: number | null, fields: Partial<Invoice> = {}) =>
    invoiceOf({
      total: amount + (tax_amount ?? 0),
      line_items: [lineOf({ amount, tax_amount })],
      ...fields,
    })

  it.each([
    { name: 'a tenth of a percent if no half percent fits', lines: [[10_000, 810]], rates: [0.081] },
    { name: 'five and a half percent if it is half a cent off', lines: [[500, 28]], rates: [0.055] },
    { name: 'a tenth of a percent if it is two cents off', lines: [[1000, 192]], rates: [0.192] },
    {
      name: 'the nearest although the others have no half percent',
      lines: [
        [10_000, 810],
        [10, 1],
      ],
      rates: [0.1, 0.081],
    },
    { name: 'the nearest for a small amount alone', lines: [[10, 2]], rates: [0.2] },
    {
      name: 'the rate of most others for a small amount',
      lines: [
        [10, 2],
        [10, 2],
        [10, 2],
        [900, 171],
      ],
      rates: [0.19],
    },
    {
      name: '0 for small amounts without a tax, whatever most others have',
      lines: [
        [3, 0],
        [3, null],
        [900, 171],
      ],
      rates: [0.19, 0],
    },
    { name: 'unknown if the tax has the other sign', lines: [[1000, -190]], rates: [null] },
    { name: 'unknown without a net', lines: [[0, 19]], rates: [null] },
    { name: 'that of a credit', lines: [[-10_000, -1900]], rates: [0.19] },
  ])('have the rate $name', ({ lines, rates }) => {
    const invoices = lines.map(([amount, tax], index) => taxed(amount!, tax ?? null, { id: String(index) }))
    expect(taxByMonth(invoices, NOW, one).map(({ rate }) => rate)).toEqual(rates)
  })

  it('count an invoice once for each rate, and credit notes apart, in each currency', () => {
    const lines = [lineOf({ amount: 10_000, tax_amount: 1900 }), lineOf({ amount: 10_000, tax_amount: 1900 })]
    const dollars = lineOf({ amount: 500, tax_amount: 100, currency: 'USD' })
    const invoices = [
      invoiceOf({ id: 'a', total: 23_800, line_items: [...lines, dollars] }),
      taxed(-10_000, -1900, { id: 'b' }),
      taxed(0, 0, { id: 'c' }),
      invoiceOf({
        id: 'd',
        total: 0,
        line_items: [lines[0]!, lineOf({ amount: -10_000, tax_amount: -1900 })],
      }),
    ]
    expect(taxByMonth(invoices, NOW, one)).toMatchObject([
      {
        currency: 'EUR',
        rate: 0.19,
        invoices: { count: 2, net: 20_000, tax: 3800, total: 23_800 },
        creditNotes: { count: 1, net: -10_000, tax: -1900, total: -11_900 },
        net: 10_000,
        tax: 1900,
        total: 11_900,
      },
      { currency: 'USD', rate: 0.2, invoices: { count: 1 }, creditNotes: { count: 0 }, net: 500 },
    ])
  })

  it.each([
    ['2026-01-31 23:59:59', '2026-01', '2026-Q1'],
    ['2026-02-01', '2026-02', '2026-Q1'],
    ['2026-03-31 23:59:59', '2026-03', '2026-Q1'],
    ['2026-04-01', '2026-04', '2026-Q2'],
    ['2025-12-31 23:59:59', '2025-12', '2025-Q4'],
  ])('of an invoice of %s belong to %s and %s', (created, month, quarter) => {
    const invoices = [taxed(10_000, 1900, { created: seconds(created) })]
    expect(taxByMonth(invoices, NOW, one)).toMatchObject([{ name: month }])
    expect(taxByQuarter(invoices, NOW, one)).toMatchObject([{ name: quarter }])
  })

  it('leave out what is dated after the current month', () => {
    const now = seconds('2026-02-15')
    const created = ['2026-02-28 23:59:59', '2026-03-01'].map(seconds)
    const invoices = created.map((time, index) => taxed(10_000, null, { id: String(index), created: time }))
    expect(taxByMonth(invoices, now, one)).toMatchObject([{ name: '2026-02', net: 10_000 }])
    expect(untaxedInvoices(invoices, now).map(({ invoice_id }) => invoice_id)).toEqual(['0'])
  })
})

it('lists invoices with lines without tax, or without lines, with the sum of these lines in each currency', () => {
  const line_items = [
    lineOf({ amount: 1000, tax_amount: 190 }),
    lineOf({ amount: 500, tax_amount: 0 }),
    lineOf({ amount: 200, tax_amount: null }),
    lineOf({ amount: 7, currency: 'USD' }),
    lineOf({ amount: 0 }),
  ]
  const created = seconds('2026-01-10')
  const invoices = [
    invoiceOf({ id: 'mixed', total: 1890, line_items }),
    invoiceOf({ id: 'taxed', total: 1190, line_items: line_items.slice(0, 1) }),
    invoiceOf({ id: 'no lines', total: 300, created }),
    invoiceOf({ id: 'free', total: 0, line_items: line_items.slice(4) }),
  ]
  expect(untaxedInvoices(invoices, NOW)).toMatchObject([
    { invoice_id: 'no lines', customer_id: 'cus_1', created, currency: 'EUR', net: 300 },
    { invoice_id: 'mixed', currency: 'EUR', net: 700 },
    { invoice_id: 'mixed', currency: 'USD', net: 7 },
  ])
})

it('returns lines that add up to what is deferred and unbilled at the end of each month', () => {
  fc.assert(
    fc.property(business, zone, time, (invoices, timeZone, now) => {
      for (const { currency, months } of revenueByMonth(invoices, now, timeZone))
        for (const { month, opening, billed, recognised, closing, deferred, unbilled } of months) {
          const lines = deferredLines(invoices, now, { timeZone, month }).filter(
            (line) => line.currency === currency,
          )
          expect(sum(lines.map((line) => line.deferred))).toBe(deferred)
          expect(sum(lines.map((line) => line.unbilled))).toBe(unbilled)
          for (const line of lines) expect(line.deferred).toBe(line.unbilled ? 0 : line.net - line.recognised)
          expect(opening + billed - recognised).toBe(closing)
        }
      const lines = deferredLines(invoices, now, timeZone)
      const { month } = revenueByMonth(invoices, now, timeZone)[0]!.months.at(-1)!
      expect(lines).toEqual(deferredLines(invoices, now, { timeZone, month }))
    }),
    { numRuns: runs(10, 200) },
  )
})
