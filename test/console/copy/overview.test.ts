import * as analytics from '../../../client/analytics/index.ts'
import { filledCopy, invoice, NOW } from './support.ts'

const customers = [
  { id: 'ann', external_id: 'a', name: 'Ann', email: null },
  { id: 'bob', external_id: 'b', name: 'Bob', email: null },
]
const walked = customers.map((customer) => ({ ...customer, changed: 1 }))
const invoices = [
  ...Array.from({ length: 20 }, (_, month) => invoice(`ann-${month}`, { days: month * 30 })),
  ...Array.from({ length: 5 }, (_, month) =>
    invoice(`bob-${month}`, { days: 60 + month * 30, customer: 'bob' }),
  ),
  invoice('yen', { currency: 'JPY', customer: 'bob', total: 900 }),
]

describe('the overview', () => {
  it('says what the functions say, in one currency and range', async () => {
    const opened = await filledCopy(customers, invoices)
    const overview = opened.answer('overview', { currency: 'EUR', months: 12 })!
    const [charts] = analytics.recurringByMonth(invoices, NOW).filter(({ currency }) => currency === 'EUR')
    expect(overview.currencies).toEqual(['EUR', 'JPY'])
    const { names, series } = overview.recurring!
    expect(names).toEqual(charts!.names.slice(-12))
    expect(series.map(({ values }) => values)).toEqual(charts!.series.map(({ values }) => values.slice(-12)))
    const others = [overview.movements!, overview.invoiced, overview.counts]
    expect(others.map(({ months }) => months.length)).toEqual([12, 12, 12])
    const [year = 0] = charts!.months.slice(-12)
    const recent = invoices.filter(({ created }) => created >= Date.UTC(1970, year) / 1000)
    const [ranking] = analytics.invoicedByCustomer(recent, NOW)
    const named = ranking!.rows.map((row, index) => ({ ...row, name: ['Ann', 'Bob'][index] }))
    expect(overview.customers.rows).toEqual(named)
    expect(overview.coverage).toEqual(analytics.coverageOf(invoices, NOW))
  })

  it('has all months without a range, and the currency of most invoices without a choice', async () => {
    const opened = await filledCopy(customers, invoices)
    const overview = opened.answer('overview', { currency: 'XXX' })!
    expect(overview.currency).toBe('EUR')
    expect(overview.invoiced.months.length).toBeGreaterThan(18)
  })

  it('is nothing without an invoice', async () => {
    expect((await filledCopy(customers, [])).answer('overview', {})).toBeUndefined()
  })

  it('agrees with the page of a customer, by either id', async () => {
    const opened = await filledCopy(walked, invoices)
    const ann = opened.answer('customer', 'a')!
    expect(ann.customer).toEqual(customers[0])
    expect(ann).toEqual(opened.answer('customer', 'ann'))
    const [invoiced, monthly] = [20 * 4900, 4900].map((amount) => [{ currency: 'EUR', amount }])
    expect(ann).toMatchObject({ invoiced, monthly, active: 1, invoices: { length: 20 } })
    expect(opened.answer('customer', 'nobody')).toBeUndefined()
  })
})
