import { type Invoice, movementsByMonth } from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, seconds } from './invoices.ts'

/** Returns what is recurring at the end of a closed month. */
const recurringAt = (month: string, invoices: readonly Invoice[], timeZone: string): number =>
  movementsByMonth(invoices, seconds('2026-12-10'), timeZone)[0]!.months.find(({ name }) => name === month)!
    .end

/** Returns an invoice for a period, which its line has only if `isOfLine`. */
const billed = (start: string, end: string, isOfLine: boolean): Invoice => {
  const period = { period_start: seconds(start), period_end: seconds(end) }
  const line = isOfLine ? period : { period_start: null, period_end: null }
  return invoiceOf({ ...period, id: start, created: period.period_start, line_items: [lineOf(line)] })
}

describe('an end at 23:59:59 or 23:59:00', () => {
  it.each([
    ['a line', '59', true],
    ['an invoice', '59', false],
    ['a line', '00', true],
    ['an invoice', '00', false],
  ])('is exclusive if %s of its subscription starts at 23:59:%s', (_of, second, isOfLine) => {
    const ends = ['2026-01-31', '2026-02-28', '2026-03-31'].map((day) => `${day} 23:59:${second}`)
    const [first, middle, last] = ends as [string, string, string]
    const invoices = [billed(first, middle, isOfLine), billed(middle, last, isOfLine)]
    expect(recurringAt('2026-02', invoices, 'UTC')).toBe(1000)
    expect(recurringAt('2026-03', invoices, 'UTC')).toBe(0)
  })

  it.each([
    ['forward', '2026-03', '2026-02-28 22:59:59', '2026-03-31 21:59:59'],
    ['back', '2026-10', '2026-09-30 21:59:59', '2026-10-31 22:59:59'],
  ])(
    'is exclusive if its own start is at that local time, and clocks were set %s',
    (_way, month, start, end) => {
      expect(recurringAt(month, [billed(start, end, true)], 'Europe/Berlin')).toBe(0)
    },
  )

  it('is inclusive if another subscription starts at that time of day', () => {
    const other = { ...billed('2026-01-31 23:59:59', '2026-02-10', true), subscription_id: 'sub_2' }
    const invoices = [billed('2026-02-01', '2026-02-28 23:59:59', true), other]
    expect(recurringAt('2026-02', invoices, 'UTC')).toBe(1000)
  })
})
