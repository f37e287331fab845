import type { Line } from '../../client/analytics/index.ts'
import { BillingConventions } from '../../client/analytics/lines/billing-conventions.ts'
import { planStart } from '../../console/records/billed-plans.ts'
import { discountTermsText } from '../../console/records/entity-text.ts'
import { invoiceText, linesText, lineText } from '../../console/records/invoice-text.ts'
import { invoiceOf, lineOf, priceOf, seconds } from '../client/analytics/invoices.ts'

const team = priceOf('Team', { price: 1200, currency: 'EUR' })
const workshop = priceOf('Services', {
  price: 45_000,
  currency: 'EUR',
  interval: null,
  interval_count: null,
  title: 'Workshop',
})
const setup = { ...workshop, product: { ...workshop.product, name: 'Setup' }, title: 'Setup, on site' }
const untitled = { ...workshop, title: null }

const plan = lineOf({ price: team, quantity: 3, amount: 3600 })
const addOn = lineOf({ price: priceOf('Backup', { price: 500, currency: 'EUR' }), amount: 500 })
const once = lineOf({ price: workshop, type: 'one_time', amount: 45_000 })
const credit = lineOf({ price: team, type: 'one_time', quantity: 3, amount: -2160 })
const goodwill = lineOf({ type: 'one_time', interval: null, amount: -500 })

const totalOf = (lines: readonly Line[]) => lines.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
const invoiceWith = (line_items: readonly Line[], total = totalOf(line_items)) =>
  invoiceOf({ line_items: [...line_items], total })

describe('a line as text', () => {
  it.each<[string, Line, string]>([
    ['a plan', plan, '3 × Team, monthly, €12.00 each'],
    ['a plan without a quantity', lineOf({ price: team, amount: 1200 }), 'Team, monthly, €12.00'],
    ['a price that is paid once, with its title', once, 'Services, Workshop, once, €450.00'],
    [
      'a title that begins with the product',
      lineOf({ price: setup, amount: 1 }),
      'Setup, on site, once, €450.00',
    ],
    ['a price without a title', lineOf({ price: untitled, amount: 1 }), 'Services, once, €450.00'],
    ['a line without a price', lineOf({ amount: 700 }), 'No plan named, monthly, €7.00'],
    ['a credit of a plan', credit, 'Credit: 3 × Team, monthly'],
    ['a credit of a price that is paid once', { ...once, amount: -1 }, 'Credit: Services, Workshop, once'],
    ['a credit without a price', goodwill, 'Credit'],
  ])('is, for %s, "%s"', (_, line, expected) => {
    const invoice = invoiceWith([line])
    expect(lineText(line, invoice, new BillingConventions([invoice]))).toBe(expected)
  })

  it.each([
    ['included in the price', 3600, '3 × Team, monthly, €12.00 each, tax included'],
    ['added to the price', 4175, '3 × Team, monthly, €12.00 each'],
  ])('says if the tax is %s', (_, total, expected) => {
    const line = { ...plan, tax_amount: 575 }
    const invoice = invoiceWith([line], total)
    expect(lineText(line, invoice, new BillingConventions([invoice]))).toBe(expected)
  })
})

describe('an invoice as text', () => {
  it.each<[string, Line[], string]>([
    ['no line', [], 'No lines'],
    ['an add-on and a plan', [addOn, plan], '3 × Team, monthly, €12.00 each, and Backup'],
    [
      'a plan and a higher price paid once',
      [once, plan],
      '3 × Team, monthly, €12.00 each, and Services, Workshop',
    ],
    [
      'a line without a price',
      [lineOf({ amount: 700 }), plan],
      '3 × Team, monthly, €12.00 each, and 1 more line',
    ],
    ['a smaller credit', [credit, plan], '3 × Team, monthly, €12.00 each, and 1 credit'],
    ['a credit and a smaller plan', [addOn, credit], 'Credit: 3 × Team, monthly, and Backup'],
    ['credits', [goodwill, credit], 'Credit: 3 × Team, monthly, and 1 more credit'],
    [
      'all of them',
      [goodwill, once, addOn, plan, credit],
      '3 × Team, monthly, €12.00 each, and 2 more lines, and 2 credits',
    ],
  ])('with %j has its main line, and names or counts the others', (_, lines, expected) => {
    const invoice = invoiceWith(lines)
    expect(invoiceText(invoice, new BillingConventions([invoice]))).toBe(expected)
  })

  it('without lines is a credit if its total is below 0', () => {
    const invoice = invoiceWith([], -500)
    expect(invoiceText(invoice, new BillingConventions([invoice]))).toBe('Credit, no lines')
  })

  it('has all lines, separated by semicolons, where it is searched and in CSV', () => {
    const invoice = invoiceWith([plan, once, goodwill])
    const expected = '3 × Team, monthly, €12.00 each; Services, Workshop, once, €450.00; Credit'
    expect(linesText(invoice, new BillingConventions([invoice]))).toBe(expected)
  })
})

const percentage = { percent_off: 20, amount_off: null, currency: 'XXX', duration_in_months: null }
const amount = { percent_off: null, amount_off: 500, currency: 'EUR', duration_in_months: null }

it.each([
  [{ ...percentage, duration: 'forever' }, '20% off, forever'],
  [{ ...percentage, duration: 'repeating', duration_in_months: 3 }, '20% off, for 3 months'],
  [{ ...percentage, duration: 'repeating', duration_in_months: 1 }, '20% off, for 1 month'],
  [{ ...amount, duration: 'once' }, '€5.00 off, once'],
])('the terms of the discount %j are "%s"', (discount, expected) =>
  expect(discountTermsText(discount)).toBe(expected),
)

/** Returns an invoice of a month of a plan, from a date. */
const charge = (plan: string, start: string, amount = 1000) => {
  const period = { period_start: seconds(start), period_end: seconds(start) + 30 * 86_400 }
  return invoiceOf({
    id: `${plan} ${start}`,
    line_items: [lineOf({ ...period, amount, price: priceOf(plan) })],
  })
}

const fleet = [charge('Fleet', '2026-01-01'), charge('Fleet', '2026-02-01')]

it.each([
  ['no other plan', fleet, ['Fleet'], undefined],
  [
    'another plan before',
    [...fleet, charge('Studio', '2026-02-15'), charge('Studio', '2026-03-15')],
    ['Studio'],
    '2026-02-15',
  ],
  [
    'another plan between',
    [...fleet, charge('Studio', '2026-03-01'), charge('Fleet', '2026-04-01')],
    ['Fleet'],
    '2026-04-01',
  ],
  [
    'a credit of the other plan',
    [...fleet, charge('Studio', '2026-02-15'), charge('Fleet', '2026-02-15', -500)],
    ['Studio'],
    '2026-02-15',
  ],
  [
    'another plan that begins together with it, until the next charge',
    [charge('Studio', '2026-01-01'), charge('Fleet', '2026-01-01'), charge('Studio', '2026-02-01')],
    ['Studio'],
    '2026-02-01',
  ],
  ['two current plans', [...fleet, charge('Backup', '2026-02-01')], ['Fleet', 'Backup'], undefined],
  ['no current plan', fleet, [], undefined],
])('the current plan of a subscription with %s has its start', (_, invoices, current, expected) =>
  expect(planStart(invoices, new Set(current))).toBe(expected && seconds(expected)),
)
