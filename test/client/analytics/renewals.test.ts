import {
  awaitingRenewal,
  expectedRenewals,
  type Invoice,
  type Line,
  monthName,
  renewalsByMonth,
} from '../../../client/analytics/index.ts'
import { billedFor, idsOf, priceOf, proration, seconds } from './invoices.ts'

/** Returns the invoice of a subscription for a period, such as "2026-02-01 to 2026-03-01", with a line of a plan. */
const invoiceFor = (id: string, period: string, line: Partial<Line> = {}, fields: Partial<Invoice> = {}) =>
  billedFor(period, { price: priceOf('Pro'), ...line }, { ...idsOf(id), ...fields })

const duesOf = (invoices: readonly Invoice[], now: string, timeZone = 'UTC') =>
  expectedRenewals(invoices, seconds(now), timeZone).map(({ due }) =>
    new Date(due * 1000).toISOString().slice(0, 16),
  )

describe('expected renewals by month', () => {
  const invoices = [
    invoiceFor('euro', '2026-02-01 to 2026-03-01'),
    invoiceFor('late', '2026-01-28 to 2026-02-27 12:00:00', { amount: 500 }),
    invoiceFor('dollar', '2026-01-27 to 2026-02-27', { amount: 300, currency: 'USD' }),
    invoiceFor('both', '2026-02-10 to 2026-03-10', { amount: 70 }),
    invoiceFor('both', '2026-02-10 to 2026-03-10', { amount: 20, currency: 'USD' }),
  ]

  it('count the invoices and the late ones of each currency apart', () => {
    const [euros, dollars] = renewalsByMonth(invoices, seconds('2026-02-28'))
    expect(euros!.months).toHaveLength(12)
    expect(euros!.months.slice(0, 3)).toMatchObject([
      { name: '2026-02', invoices: 1, amount: 500, late: 1 },
      { name: '2026-03', invoices: 3, amount: 1570, late: 0 },
      { name: '2026-04', invoices: 3, amount: 1570, late: 0 },
    ])
    expect(dollars!.months.slice(0, 2)).toMatchObject([
      { name: '2026-02', invoices: 1, amount: 300, late: 1 },
      { name: '2026-03', invoices: 2, amount: 320, late: 0 },
    ])
  })

  it('name the recurring revenue of each currency that awaits its renewal', () => {
    expect(awaitingRenewal(invoices, seconds('2026-02-28'))).toEqual([
      { currency: 'EUR', amount: 500 },
      { currency: 'USD', amount: 300 },
    ])
    expect(awaitingRenewal(invoices, seconds('2026-02-20'))).toEqual([
      { currency: 'EUR', amount: 0 },
      { currency: 'USD', amount: 0 },
    ])
  })

  it.each([
    { now: '2026-02-28 23:59:59', month: '2026-03', late: false },
    { now: '2026-03-01', month: '2026-03', late: true },
    { now: '2026-03-02', month: '2026-03', late: true },
  ])('expect at $now in $month what is due at the first second of March', ({ now, month, late }) => {
    const [first] = expectedRenewals([invoices[0]!], seconds(now))
    expect({ month: monthName(first!.month), late: first!.late }).toEqual({ month, late })
  })

  it('expect in the current month what was due at the end of the month before', () => {
    const [late] = expectedRenewals([invoices[1]!], seconds('2026-03-01'))
    expect({ name: monthName(late!.month), late: late!.late }).toEqual({ name: '2026-03', late: true })
  })

  it('end with the eleventh month after the current one', () => {
    const dues = duesOf([invoices[0]!], '2026-02-10')
    expect([dues[0], dues.at(-1), dues.length]).toEqual(['2026-03-01T00:00', '2027-01-01T00:00', 11])
  })
})

describe('the days of renewals', () => {
  it('are those of UTC if a month ends there on its last day, seen from another time zone', () => {
    const invoices = [invoiceFor('a', '2027-01-31 02:00:00 to 2027-02-28 02:00:00')]
    expect(duesOf(invoices, '2027-02-10', 'America/New_York').slice(0, 3)).toEqual([
      '2027-02-28T02:00',
      '2027-03-31T02:00',
      '2027-04-30T02:00',
    ])
  })

  it('are the first of months in the time zone, also where a month from the first one ends a day earlier in UTC', () => {
    const firsts = [
      '2026-06-30 22:00:00',
      '2026-07-31 22:00:00',
      '2026-08-31 22:00:00',
      '2026-09-30 22:00:00',
    ]
    const invoices = firsts.slice(1).map((end, index) => invoiceFor('a', `${firsts[index]} to ${end}`))
    invoices.push(invoiceFor('a', '2026-09-11 to 2026-09-30 22:00:00', { type: 'one_time' }))
    expect(duesOf(invoices, '2026-09-20', 'Europe/Vienna').slice(0, 4)).toEqual([
      '2026-09-30T22:00',
      '2026-10-31T23:00',
      '2026-11-30T23:00',
      '2026-12-31T23:00',
    ])
  })

  it('are those of the first interval of a quarterly subscription, also after short months', () => {
    const quarter = { interval_count: 3, price: priceOf('Pro', { interval_count: 3 }) }
    const invoices = [
      invoiceFor('a', '2026-08-31 to 2026-11-30', quarter),
      invoiceFor('a', '2026-11-30 to 2027-02-28', quarter),
    ]
    expect(duesOf(invoices, '2027-01-10').slice(0, 2)).toEqual(['2027-02-28T00:00', '2027-05-31T00:00'])
  })

  it('are the last days of months if the subscription began on one of 30 days', () => {
    const invoices = [invoiceFor('a', '2026-04-30 to 2026-05-30')]
    expect(duesOf(invoices, '2026-05-10').slice(0, 2)).toEqual(['2026-05-30T00:00', '2026-06-30T00:00'])
  })

  it('keep the interval of a plan that was billed for several at once', () => {
    const [renewal, next] = expectedRenewals(
      [invoiceFor('a', '2026-01-01 to 2026-04-01', { amount: 5700 })],
      seconds('2026-02-01'),
    )
    expect([renewal, next]).toMatchObject([
      { due: seconds('2026-04-01'), amount: 5700 },
      { due: seconds('2026-07-01'), amount: 5700 },
    ])
  })
})

describe('the amounts of renewals', () => {
  const discount = (id: string, duration: string, fields: object = {}) =>
    ({
      id,
      name: id,
      duration,
      duration_in_months: null,
      percent_off: null,
      amount_off: null,
      ...fields,
    }) as Invoice['discounts'][number]

  it.each([
    {
      title: 'a coupon that was once for half, and one for ever of a tenth',
      discounts: [discount('a', 'once', { percent_off: 50 }), discount('b', 'forever', { percent_off: 10 })],
      discount_amount: 600,
      expected: 900,
    },
    {
      title: 'a coupon of an amount that was once, and one for ever',
      discounts: [discount('a', 'once', { amount_off: 200 }), discount('b', 'forever', { amount_off: 100 })],
      discount_amount: 300,
      expected: 900,
    },
    {
      title: 'a coupon without an amount, of two',
      discounts: [discount('a', 'once'), discount('b', 'forever')],
      discount_amount: 200,
      expected: 900,
    },
    {
      title: 'a coupon that took off everything',
      discounts: [discount('a', 'once', { percent_off: 100 })],
      discount_amount: 1000,
      expected: 1000,
    },
    { title: 'a discount that is not named', discounts: [], discount_amount: 300, expected: 700 },
  ])('take into account $title', ({ discounts, discount_amount, expected }) => {
    const other = invoiceFor('a', '2026-02-01 to 2026-03-01', { amount: 1, price: priceOf('Other') })
    const invoice = invoiceFor('a', '2026-02-01 to 2026-03-01', { discount_amount }, { discounts })
    const [renewal] = expectedRenewals([invoice, other], seconds('2026-02-10'))
    expect(renewal!.plans).toContainEqual({ key: 'Pro', name: 'Pro', amount: expected })
  })

  it.each([
    {
      title: 'set back, by a biller in UTC',
      timeZone: 'Europe/Vienna',
      firsts: ['2026-09-01', '2026-10-01', '2026-11-01', '2026-12-01'],
    },
    {
      title: 'set forward, by a biller in Vienna',
      timeZone: 'UTC',
      firsts: ['2026-01-31 23:00:00', '2026-02-28 23:00:00', '2026-03-31 22:00:00', '2026-04-30 22:00:00'],
    },
  ])('do without a coupon after its three months, if clocks were $title', ({ timeZone, firsts }) => {
    const discounts = [discount('a', 'repeating', { duration_in_months: 3, percent_off: 20 })]
    const invoices = firsts
      .slice(1)
      .map((end, index) =>
        invoiceFor('a', `${firsts[index]} to ${end}`, { discount_amount: 200 }, { discounts }),
      )
    const [renewal] = expectedRenewals(invoices, seconds(firsts[2]!), timeZone)
    expect(renewal).toMatchObject({ due: seconds(firsts[3]!), amount: 1000, endedDiscounts: ['a'] })
  })

  it('are not of a subscription that is cancelled, nor of a plan that is credited', () => {
    const credit = { ...proration, amount: -1000 }
    const period = '2026-02-01 to 2026-03-01'
    const other = { amount: 400, price: priceOf('Other') }
    const cancelled = [invoiceFor('a', period), invoiceFor('a', period, credit)]
    expect(expectedRenewals(cancelled, seconds('2026-02-10'))).toEqual([])
    const [renewal] = expectedRenewals([...cancelled, invoiceFor('a', period, other)], seconds('2026-02-10'))
    expect(renewal!.plans).toEqual([{ key: 'Other', name: 'Other', amount: 400 }])
  })
})
