import { DAY, filledCopy, invoice, NOW } from './copy-in-memory.ts'

const customers = [{ id: 'ann', external_id: 'own-ann', name: 'Ann', email: null, metadata: {} }]

/** Opens a copy with one invoice of 49 euros for 31 days, created at a time such as `2025-10-31T23:30:00Z`. */
const copyWithInvoiceOf = (time: string) => {
  const template = invoice('one', { days: (NOW - Date.parse(time) / 1000) / DAY })
  const period_end = template.created + 31 * DAY
  const line_items = template.line_items.map((line) => ({ ...line, period_end }))
  return filledCopy(customers, [{ ...template, period_end, line_items }])
}

describe.each([
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
])('an invoice of %s, which is in %s on %s,', (time, timeZone, date) => {
  const month = date.slice(0, 7)
  let copy: Awaited<ReturnType<typeof copyWithInvoiceOf>>
  beforeAll(async () => {
    copy = await copyWithInvoiceOf(time)
  })

  it('is in the figures of its month', () => {
    const { invoiced, movements } = copy.answer('overview', {}, timeZone)!
    const { revenue, customers: cohorts } = copy.answer('finance', {}, timeZone)!
    expect(invoiced.filter((figure) => figure.invoiced !== 0)).toMatchObject([{ name: month }])
    expect(movements!.filter((movement) => movement.new !== 0)).toMatchObject([{ name: month }])
    expect(revenue!.filter(({ billed }) => billed !== 0)).toMatchObject([{ name: month }])
    expect(cohorts.months).toHaveLength(1)
    const firstChange = copy.answer('subscription', 'sub-ann', timeZone)!.changes.at(-1)!
    expect(firstChange.cells.month).toBe(cohorts.months[0]!.month)
  })

  it.each(['customers', 'invoices'] as const)('is in the list of %s of its month, year and day', (list) => {
    const countOf = (within: string) => copy.answer('list', { list, within }, timeZone).count
    expect(countOf(month)).toBe(1)
    expect(countOf(date.slice(0, 4))).toBe(1)
    expect(countOf(`${date}..${date}`)).toBe(1)
  })

  it('is in the new customers and in the statement of its month', () => {
    const newCustomers = copy.answer('list', { list: 'movements', customers: 'new', within: month }, timeZone)
    expect(newCustomers.count).toBe(1)
    expect(copy.answer('statement', { id: 'ann', within: month }, timeZone)!.rows).toHaveLength(1)
  })

  it('has its date in CSV, in columns that name the time zone', async () => {
    const csv = await copy.answer('csv', { form: 'point', list: 'invoices', within: month }, timeZone).text()
    const [headings, cells] = csv.split('\r\n').map((line) => line.split(','))
    const suffix = timeZone === 'UTC' ? '' : ` (${timeZone})`
    expect(cells![headings!.indexOf(`Date${suffix}`)]).toBe(date)
    expect(cells![headings!.indexOf(`Period start${suffix}`)]).toBe(date)
  })
})

it('the answers in one time zone are not reused for another', async () => {
  const copy = await copyWithInvoiceOf('2025-10-31T23:30:00Z')
  const monthIn = (timeZone: string) =>
    copy.answer('overview', {}, timeZone)!.invoiced.find(({ invoiced }) => invoiced !== 0)!.name
  expect(monthIn('UTC')).toBe('2025-10')
  expect(monthIn('Europe/Berlin')).toBe('2025-11')
  expect(monthIn('UTC')).toBe('2025-10')
})

it('the state of a subscription names the day in the time zone', async () => {
  const copy = await copyWithInvoiceOf('2026-05-20T23:30:00Z')
  const stateIn = (timeZone: string) => copy.answer('subscription', 'sub-ann', timeZone)!.state
  expect(stateIn('UTC')).toBe('Active until 20 Jun 2026')
  expect(stateIn('Europe/Berlin')).toBe('Active until 21 Jun 2026')
})

it('a renewal is expected in its month of the time zone', async () => {
  const copy = await copyWithInvoiceOf('2026-05-30T23:30:00Z')
  const renewalsIn = (renews: string, timeZone: string) =>
    copy.answer('list', { list: 'subscriptions', renews }, timeZone).rows.map(({ cells }) => cells.renews)
  const june30 = Date.UTC(2026, 5, 30, 23, 30) / 1000
  expect(renewalsIn('2026-06', 'UTC')).toEqual([june30])
  expect(renewalsIn('2026-06', 'Europe/Berlin')).toEqual([])
  expect(renewalsIn('2026-07', 'Europe/Berlin')[0]).toBe(june30)
})

describe('the current month', () => {
  it.each([
    ['2026-05-31T23:30:00Z', 'UTC', 0],
    ['2026-05-31T23:30:00Z', 'Europe/Berlin', 1],
    ['2026-06-30T23:30:00Z', 'UTC', 1],
    ['2026-06-30T23:30:00Z', 'Europe/Berlin', 0],
    ['2026-06-30T23:30:00Z', 'America/New_York', 1],
  ] as const)(
    'shows an invoice of %s in %s %i times, in its figure, ranking and list',
    async (time, timeZone, count) => {
      const copy = await copyWithInvoiceOf(time)
      const { invoiced, rankings } = copy.answer('overview', { months: 1 }, timeZone)!
      expect(invoiced).toMatchObject([{ name: '2026-06', invoiced: count * 4900 }])
      expect(rankings.customers.rows).toHaveLength(count)
      expect(copy.answer('list', { list: 'invoices', within: '2026-06' }, timeZone).count).toBe(count)
    },
  )

  it('and the current week begin at midnight of the time zone', async () => {
    // Monday is 15 June. In Kiritimati, it begins at 10:00 on Sunday in UTC.
    const copy = await copyWithInvoiceOf('2026-06-14T10:00:00Z')
    const countIn = (timeZone: string) =>
      copy.answer('list', { list: 'invoices', within: 'week' }, timeZone).count
    expect(countIn('UTC')).toBe(0)
    expect(countIn('Pacific/Kiritimati')).toBe(1)
  })
})
