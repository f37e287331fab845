import fc from 'fast-check'
import {
  changesToClosedMonths,
  closingTime,
  type Invoice,
  movementsByMonth,
  revenueByClosedMonth,
  revenueByMonth,
} from '../../../client/analytics/index.ts'
import { calendarOf } from '../../../client/analytics/lines/calendar.ts'
import { runs } from '../../support/runs.ts'
import { business, NOW, time, zone } from './biller.ts'
import { everyFigure, furtherFigures } from './every-figure.ts'
import { idsOf, invoiceOf, lineOf, seconds } from './invoices.ts'

const DAY = 86_400

/** A business whose invoices were recorded up to four months after they were created. */
const lateBusiness = fc
  .tuple(business, fc.infiniteStream(fc.integer({ min: 0, max: 120 })))
  .map(([invoices, delays]) =>
    invoices.map((invoice): Invoice => {
      const delay = delays.next().value % 3 === 0 ? delays.next().value * DAY : 0
      return { ...invoice, changed: invoice.created + delay }
    }),
  )

/** Returns whether taxes or ends may be read in two ways: as when the invoice was recorded in closed months, and as today. */
const isAmbiguous = (invoices: readonly Invoice[]): boolean =>
  invoices.some(
    (invoice) =>
      [invoice, ...invoice.line_items].some(({ period_end }) => (period_end ?? 0) % 60 === 59) ||
      invoice.line_items.some(({ tax_amount }) => tax_amount),
  )

/** Returns the closed months of each currency. */
const closedMonths = (invoices: readonly Invoice[], now: number, timeZone: string) =>
  revenueByClosedMonth(invoices, now, timeZone).flatMap(({ currency, months }) =>
    months.filter(({ closedAt }) => closedAt !== undefined).map((month) => ({ currency, ...month })),
  )

it('never changes a month that was closed, whatever is recorded later', () => {
  fc.assert(
    fc.property(lateBusiness, zone, time, (invoices, timeZone, earlier) => {
      const then = revenueByClosedMonth(invoices, earlier, { timeZone, recordedUntil: earlier })
      const today = closedMonths(invoices, NOW, timeZone)
      for (const { currency, months } of then)
        for (const month of months)
          if (month.closedAt !== undefined) expect(today).toContainEqual({ currency, ...month })
    }),
    { numRuns: runs(20, 300) },
  )
})

it('returns opening + billed − recognised − for earlier months = closing, and ends with what is deferred now', () => {
  fc.assert(
    fc.property(lateBusiness, zone, time, (invoices, timeZone, now) => {
      const known = revenueByMonth(invoices, now, timeZone)
      for (const [place, { currency, months }] of revenueByClosedMonth(invoices, now, timeZone).entries()) {
        expect(currency).toBe(known[place]!.currency)
        for (const [index, month] of months.entries()) {
          const { opening, billed, recognised, forEarlierMonths, closing, deferred, unbilled } = month
          expect(opening + billed - recognised - forEarlierMonths).toBe(closing)
          expect(deferred - unbilled).toBe(closing)
          expect(opening).toBe(months[index - 1]?.closing ?? 0)
        }
        const { deferred, unbilled } = known[place]!.months.at(-1)!
        if (!isAmbiguous(invoices)) expect(months.at(-1)).toMatchObject({ deferred, unbilled })
      }
    }),
    { numRuns: runs(20, 300) },
  )
})

it('returns for a closed month what the figures of its closing time have, and what differs today as changes', () => {
  fc.assert(
    fc.property(lateBusiness, zone, (invoices, timeZone) => {
      const changes = changesToClosedMonths(invoices, NOW, timeZone)
      const movementsToday = movementsByMonth(invoices, NOW, timeZone)
      const revenueToday = revenueByMonth(invoices, NOW, timeZone)
      const closed = closedMonths(invoices, NOW, timeZone)
      for (const [closedAt, months] of Map.groupBy(closed, ({ closedAt }) => closedAt!)) {
        const options = { timeZone, recordedUntil: closedAt }
        const revenueThen = revenueByMonth(invoices, closedAt, options)
        const movementsThen = movementsByMonth(invoices, closedAt, options)
        for (const { currency, month, recognised, deferred, unbilled } of months) {
          const inMonth = <Item extends { month: number }>(
            figures: readonly { currency: string; months: readonly Item[] }[],
          ) => figures.find((each) => each.currency === currency)?.months.find((each) => each.month === month)
          const then = inMonth(revenueThen)
          const change = changes.find((each) => each.currency === currency && each.month === month)
          const recurringThen = inMonth(movementsThen)?.end ?? 0
          expect(change?.recurring ?? 0).toBe(inMonth(movementsToday)!.end - recurringThen)
          if (isAmbiguous(invoices)) continue
          expect({ recognised, deferred, unbilled }).toEqual({
            recognised: then?.recognised ?? 0,
            deferred: then?.deferred ?? 0,
            unbilled: then?.unbilled ?? 0,
          })
          expect(change?.recognised ?? 0).toBe(inMonth(revenueToday)!.recognised - recognised)
        }
      }
    }),
    { numRuns: runs(10, 200) },
  )
})

it('keeps the reading of taxes that a closed month had, although later invoices show another one', () => {
  const period = { period_start: seconds('2026-01-01'), period_end: seconds('2026-03-01') }
  const swap = [
    lineOf({ ...period, amount: 1180, tax_amount: 118 }),
    lineOf({ amount: -1180, tax_amount: -118, type: 'one_time', period_start: null, period_end: null }),
  ]
  const ambiguous = invoiceOf({ created: seconds('2026-01-01'), total: 0, line_items: swap })
  const onTop = invoiceOf({
    id: 'on top',
    created: seconds('2026-03-10'),
    total: 1100,
    line_items: [lineOf({ amount: 1000, tax_amount: 100 })],
  })
  const january = (invoices: readonly Invoice[]) =>
    revenueByClosedMonth(invoices, seconds('2026-03-20'))[0]!.months[0]
  // 1,062 × 31 ÷ 59 = 558 of the charge, less the credit. With the tax on top, it would be 620 − 1,180.
  expect(january([ambiguous])).toMatchObject({ recognised: 558 - 1062 })
  expect(january([ambiguous, onTop])).toEqual(january([ambiguous]))
})

describe('a month is closed with what was recorded by the end of the third day after it', () => {
  const line = lineOf({ amount: 2800 })
  const invoices = (changed?: string, created = '2026-02-01') => [
    invoiceOf({ id: 'first', created: seconds('2026-01-01'), total: 0 }),
    invoiceOf({
      id: 'second',
      created: seconds(created),
      line_items: [line, lineOf({ ...line, currency: 'USD', amount: 1400 })],
      ...(changed && { changed: seconds(changed) }),
    }),
  ]

  it.each([
    ['by the service in the last second', invoices('2026-03-03 23:59:59'), 0],
    ['by the service a second later', invoices('2026-03-04'), 2800],
    ['when it was created, if the service does not say', invoices(), 0],
    ['when it was created, in the last second', invoices(undefined, '2026-03-03 23:59:59'), 0],
    ['when it was created, a second later', invoices(undefined, '2026-03-04'), 2800],
    ['before it was created', invoices('2026-02-01', '2026-03-04'), 2800],
  ])('an invoice was recorded %s', (_, recorded, late) => {
    const [euros, dollars] = revenueByClosedMonth(recorded, seconds('2026-03-20'))
    const february = { closedAt: seconds('2026-03-03 23:59:59'), recognised: 2800 - late }
    expect(euros!.months.slice(1)).toMatchObject([february, { closedAt: undefined, forEarlierMonths: late }])
    expect(dollars!.months[2]).toMatchObject({ forEarlierMonths: late / 2 })
    const changes = changesToClosedMonths(recorded, seconds('2026-03-20'))
    expect(changes.map(({ currency, name, recognised }) => ({ currency, name, recognised }))).toEqual(
      late === 0
        ? []
        : [
            { currency: 'EUR', name: '2026-02', recognised: 2800 },
            { currency: 'USD', name: '2026-02', recognised: 1400 },
          ],
    )
    for (const { invoices: changed } of changes) expect(changed).toMatchObject([{ invoice_id: 'second' }])
  })

  it.each([
    ['2026-03-03 23:59:59', false],
    ['2026-03-04', true],
  ])('at %s it is closed: %s', (now, isClosed) => {
    const [euros] = revenueByClosedMonth(invoices(), seconds(now))
    expect(euros!.months[1]!.closedAt !== undefined).toBe(isClosed)
  })

  it('in the time zone of the month', () => {
    const february = calendarOf('Europe/Berlin').monthOf(seconds('2026-02-15'))
    expect(closingTime(february, 'Europe/Berlin')).toBe(seconds('2026-03-03 22:59:59'))
  })
})

it.each(Object.entries({ ...everyFigure, ...furtherFigures }))(
  '%s counts only what was recorded until a time',
  (_, compute) => {
    const invoice = (id: string, created: string, changed: string) =>
      invoiceOf({
        ...idsOf(id),
        created: seconds(created),
        changed: seconds(changed),
        line_items: [lineOf({ amount: 1000 })],
      })
    const known = [invoice('a', '2026-02-01', '2026-02-01')]
    const later = [invoice('b', '2026-02-01', '2026-02-11'), invoice('c', '2026-02-11', '2026-02-11')]
    const now = seconds('2026-02-20')
    const options = { recordedUntil: seconds('2026-02-10') }
    expect(compute([...known, ...later], now, options)).toEqual(compute(known, now))
  },
)
