import { filledCopy, invoice, NOW } from './copy-in-memory.ts'

const DAY = 86_400
const customers = [{ id: 'ann', external_id: 'own-ann', name: 'Ann', email: null, metadata: {} }]

/** Opens a copy of one invoice of 49 euros, created at a time such as `2025-10-31T23:30:00Z`, that is paid for 31 days. */
const openWith = (text: string) => {
  const billed = invoice('one', { days: (NOW - Date.parse(text) / 1000) / DAY })
  const period_end = billed.created + 31 * DAY
  const line_items = billed.line_items.map((line) => ({ ...line, period_end }))
  return filledCopy(customers, [{ ...billed, period_end, line_items }])
}

describe('an invoice at the edge of a month', () => {
  const edges = [
    ['2025-10-31T23:30:00Z', 'UTC', '2025-10-31'],
    ['2025-10-31T23:30:00Z', 'Europe/Berlin', '2025-11-01'],
    ['2025-10-31T22:59:59Z', 'Europe/Berlin', '2025-10-31'],
    ['2025-10-31T23:00:00Z', 'Europe/Berlin', '2025-11-01'],
    // In summer, the clocks in Berlin are two hours ahead.
    ['2026-03-31T21:59:59Z', 'Europe/Berlin', '2026-03-31'],
    ['2026-03-31T22:00:00Z', 'Europe/Berlin', '2026-04-01'],
    ['2025-11-01T03:59:59Z', 'America/New_York', '2025-10-31'],
    ['2025-11-01T04:00:00Z', 'America/New_York', '2025-11-01'],
    ['2025-12-31T18:29:59Z', 'Asia/Kolkata', '2025-12-31'],
    ['2025-12-31T18:30:00Z', 'Asia/Kolkata', '2026-01-01'],
    ['2025-12-31T10:00:00Z', 'Pacific/Kiritimati', '2026-01-01'],
    ['2026-01-01T10:59:59Z', 'Pacific/Pago_Pago', '2025-12-31'],
  ] as const

  it.each(edges)('of %s is in %s of %s, in figures, lists and CSV alike', async (text, timeZone, date) => {
    const opened = await openWith(text)
    const month = date.slice(0, 7)
    const { invoiced, movements } = opened.answer('overview', {}, timeZone)!
    const { revenue, customers: cohorts } = opened.answer('finance', {}, timeZone)!
    const monthsWith = <Month extends { readonly name: string }>(
      months: readonly Month[] | undefined,
      has: (each: Month) => boolean,
    ): string[] => months!.filter(has).map(({ name }) => name)
    expect(monthsWith(invoiced, (each) => each.invoiced !== 0)).toEqual([month])
    expect(monthsWith(movements, (each) => each.new !== 0)).toEqual([month])
    expect(monthsWith(revenue, (each) => each.billed !== 0)).toEqual([month])
    expect(cohorts.months).toHaveLength(1)
    const countOf = (list: 'customers' | 'invoices', within: string): number =>
      opened.answer('list', { list, within }, timeZone).count
    for (const list of ['customers', 'invoices'] as const) {
      expect(countOf(list, month)).toBe(1)
      expect(countOf(list, date.slice(0, 4))).toBe(1)
      expect(countOf(list, `${date}..${date}`)).toBe(1)
    }
    expect(opened.answer('list', { list: 'customers', moved: 'new', month }, timeZone).count).toBe(1)
    expect(opened.answer('statement', { id: 'ann', within: month }, timeZone)!.rows).toHaveLength(1)
    const [change] = opened.answer('subscription', 'sub-ann', timeZone)!.changes.toReversed()
    expect(change!.month).toBe(cohorts.months[0]!.month)
    const csv = await opened.answer('csv', { list: 'invoices', within: month }, timeZone).text()
    const [heading, row] = csv.split('\r\n').map((line) => line.split(','))
    const titleOf = (title: string) => (timeZone === 'UTC' ? title : `${title} (${timeZone})`)
    expect(row![heading!.indexOf(titleOf('Date'))]).toBe(date)
    expect(row![heading!.indexOf(titleOf('Period start'))]).toBe(date)
  })
})

it('what is shown of a time zone is not shown of another', async () => {
  const opened = await openWith('2025-10-31T23:30:00Z')
  const monthsIn = (timeZone: string) =>
    opened.answer('overview', {}, timeZone)!.invoiced.filter(({ invoiced }) => invoiced !== 0)
  const names = ['UTC', 'Europe/Berlin', 'UTC'].map((timeZone) => monthsIn(timeZone)[0]!.name)
  expect(names).toEqual(['2025-10', '2025-11', '2025-10'])
})

it('the state of a subscription names the day in the time zone', async () => {
  const opened = await openWith('2026-05-20T23:30:00Z')
  const stateIn = (timeZone: string) => opened.answer('subscription', 'sub-ann', timeZone)!.state
  expect(stateIn('UTC')).toBe('Active until Jun 20, 2026')
  expect(stateIn('Europe/Berlin')).toBe('Active until Jun 21, 2026')
})

it('a renewal is expected in the month of the time zone', async () => {
  const opened = await openWith('2026-05-30T23:30:00Z')
  const renewsIn = (renews: string, timeZone: string) =>
    opened.answer('list', { list: 'subscriptions', renews }, timeZone).rows.map(({ cells }) => cells.renews)
  const june30 = Date.UTC(2026, 5, 30, 23, 30) / 1000
  expect(renewsIn('2026-06', 'UTC')).toEqual([june30])
  expect(renewsIn('2026-06', 'Europe/Berlin')).toEqual([])
  expect(renewsIn('2026-07', 'Europe/Berlin')[0]).toBe(june30)
})

describe('the running month', () => {
  it.each([
    ['2026-05-31T23:30:00Z', 'UTC', 0],
    ['2026-05-31T23:30:00Z', 'Europe/Berlin', 1],
    ['2026-06-30T23:30:00Z', 'UTC', 1],
    ['2026-06-30T23:30:00Z', 'Europe/Berlin', 0],
    ['2026-06-30T23:30:00Z', 'America/New_York', 1],
  ] as const)(
    'has of %s in %s %i invoices, in its figure, ranking and list',
    async (text, timeZone, count) => {
      const copy = await openWith(text)
      const { invoiced, rankings } = copy.answer('overview', { months: 1 }, timeZone)!
      expect(invoiced).toMatchObject([{ name: '2026-06', invoiced: count * 4900 }])
      expect(rankings.customers.rows).toHaveLength(count)
      expect(copy.answer('list', { list: 'invoices', within: '2026-06' }, timeZone).count).toBe(count)
    },
  )

  it('and the running week begin at midnight of the time zone', async () => {
    // Monday is the 15th of June. In Kiritimati, it begins at 10:00 of Sunday in UTC.
    const copy = await openWith('2026-06-14T10:00:00Z')
    const countIn = (timeZone: string) =>
      copy.answer('list', { list: 'invoices', within: 'week' }, timeZone).count
    expect(['UTC', 'Pacific/Kiritimati'].map(countIn)).toEqual([0, 1])
  })
})
