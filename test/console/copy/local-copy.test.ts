import { type Database, openLocalCopy, type Tabs } from '../../../console/copy/local-copy.ts'
import type { Entity } from '../../../console/records/entities.ts'
import { databaseInMemory, filledCopy, invoice, NOW, openInMemory } from './support.ts'

const ann = { id: 'ann', external_id: 'customer-1', name: 'Ann', email: 'ann@example.org', changed: 5 }
const erased = { id: 'ann', name: 'Anonymous customer', email: 'anonymous@anonymous.invalid', metadata: {} }

describe('the copy', () => {
  it('is of the time at which the first of its lists was complete, and of none until all are', async () => {
    const { database, bookmarks } = databaseInMemory()
    const opened = await openInMemory(database)
    await opened.write('customers', { items: [ann], at: 1 }, { since: 5, asOf: 70 })
    expect(opened.extent()).toEqual({ customers: 1, invoices: 0, asOf: 0 })
    await opened.write('invoices', { items: [], at: 1 }, { since: 0, asOf: 60 })
    expect(opened.extent().asOf).toBe(0)
    await opened.write('discounts', { items: [], at: 1 }, { since: 0, asOf: 80 })
    expect(opened.extent()).toEqual({ customers: 1, invoices: 0, asOf: 60 })
    expect([...bookmarks.values()].map(({ asOf }) => asOf)).toEqual([70, 60, 80])
    expect((await openInMemory(database)).extent()).toEqual(opened.extent())
  })

  it('shows nobody who was erased here, also when a page that was asked for before arrives after', async () => {
    const { database, lists } = databaseInMemory()
    const opened = await openInMemory(database)
    const after = { since: 5, asOf: NOW }
    await opened.write('customers', { items: [ann], at: Date.now() }, after)
    const before = Date.now() - 1
    await opened.save('customers', erased)
    await opened.write('customers', { items: [ann], at: before }, after)
    const { name, email } = erased
    for (const each of [opened, await openInMemory(database)]) {
      expect(each.answer('search', 'ann@example.org').found).toEqual([])
      const [found] = each.answer('search', 'customer-1').found
      expect(found).toEqual({ id: 'ann', name, email, external_id: 'customer-1' })
    }
    expect(JSON.stringify([...lists.customers.values()])).not.toContain('ann@example.org')
    // A page that was asked for later counts again.
    await opened.write('customers', { items: [{ ...ann, name: 'Ann Two' }], at: Date.now() + 1 }, after)
    expect(opened.answer('search', 'ann two').count).toBe(1)
  })

  it('knows which entities no walk has returned yet', async () => {
    const opened = await openInMemory()
    const write = (...items: Entity[]) => opened.write('invoices', { items, at: 1 }, { since: 0, asOf: 0 })
    expect([await write({ id: 'new' }), await write({ id: 'new' })]).toEqual([false, false])
    expect([await write({ id: 'new', changed: 1 }), await write({ id: 'new' })]).toEqual([false, true])
    expect(await write()).toBe(true)
  })

  it('has what another tab saved', async () => {
    const tabs: [Tabs, Tabs] = [
      { postMessage: (data) => tabs[1].onmessage!({ data }), onmessage: null },
      { postMessage: () => undefined, onmessage: null },
    ]
    const changed = jest.fn()
    const { database } = databaseInMemory()
    const [one, other] = await Promise.all(
      tabs.map((each) => openLocalCopy({ database, tabs: each, changed })),
    )
    const before = Date.now() - 1
    await one!.save('customers', erased)
    expect(other!.answer('search', 'anonymous').found).toMatchObject([{ id: 'ann' }])
    expect(changed).toHaveBeenCalledTimes(1)
    // A read that was asked for before the erasure, and arrives after it.
    for (const each of [one!, other!]) await each.save('customers', ann, before)
    for (const each of [one!, other!, await openInMemory(database)])
      expect(each.answer('search', 'ann@example.org').found).toEqual([])
  })

  it('reads again what another tab wrote while it was being opened', async () => {
    const { database, bookmarks } = databaseInMemory()
    bookmarks.set('customers', { since: 5, asOf: 6 })
    const all: Database['all'] = async function* (plural) {
      yield* database.all(plural)
      await database.write('customers', [ann], { since: 9, asOf: 9 })
    }
    expect((await openInMemory({ ...database, all })).bookmark('customers').since).toBe(5)
  })

  it('has what another tab saved while it was being opened', async () => {
    const { database } = databaseInMemory()
    await (await openInMemory(database)).write('customers', { items: [ann], at: 1 }, { since: 5, asOf: 70 })
    const tabs: Tabs = { postMessage: () => undefined, onmessage: null }
    const opening = openLocalCopy({ database, tabs, changed: () => undefined })
    const saved = { plural: 'customers', entity: { ...ann, ...erased }, at: Date.now() } as const
    tabs.onmessage?.({ data: saved })
    const { name, email } = erased
    expect((await opening).answer('search', 'customer-1').found).toMatchObject([{ name, email }])
  })
})

describe('the search', () => {
  const people = [
    { id: 'cus_1', external_id: '42', name: 'Jiří Yılmaz', email: 'jiri@example.org' },
    { id: 'cus_2', external_id: '420', name: 'Łukasz Øst', email: null },
    { id: 'cus_3', external_id: '7', name: null, email: 'STRASSE@example.org' },
  ]

  it.each([
    ['jiri', ['cus_1']],
    ['yilmaz JIŘÍ', ['cus_1']],
    ['lukasz ost', ['cus_2']],
    ['straße', ['cus_3']],
    ['42', ['cus_1', 'cus_2']],
    ['420', ['cus_2']],
    ['CUS_3', ['cus_3']],
    ['example.org', ['cus_1', 'cus_3']],
    ['4', ['cus_1', 'cus_2']],
    ['2', []],
    ['yilmaz 42', []],
    ['s_3', []],
    ['cus', []],
    ['cus_', ['cus_1', 'cus_2', 'cus_3']],
    ['eur', []],
    ['nobody', []],
  ])('finds for "%s" %j, which the list of customers shows too', async (typed, expected) => {
    const opened = await filledCopy(people, [invoice('first', { customer: 'cus_1' })])
    expect(opened.answer('search', typed).found.map(({ id }) => id)).toEqual(expected)
    const { rows } = opened.answer('list', { list: 'customers', text: typed, sort: 'id' })
    expect(rows.map(({ customer }) => customer)).toEqual(expected)
  })

  it('finds nothing for spaces', async () => {
    expect((await filledCopy(people, [])).answer('search', '  ').found).toEqual([])
  })

  it('has the best eight, and says how many there are', async () => {
    const many = Array.from({ length: 12 }, (_, id) => ({ id: `cus_${id}`, name: `Ann ${id}`, email: null }))
    const { found, count } = (await filledCopy(many, [])).answer('search', 'ann')
    expect([found.length, count]).toEqual([8, 12])
  })
})

describe('a list', () => {
  const customers = [
    { ...ann, name: '=cmd|calc 7' },
    { ...ann, id: 'bob', name: 'Bob', external_id: 'own-bob' },
  ]
  const invoices = [
    invoice('today'),
    invoice('last-week', { days: 4 }),
    invoice('credit', { days: 1, total: -500 }),
    invoice('may', { days: 40, customer: 'bob', currency: 'JPY' }),
  ]
  const list = async (query: Record<string, string>) =>
    (await filledCopy(customers, invoices)).answer('list', { list: 'invoices', ...query })

  it.each<[Record<string, string>, string[]]>([
    [{}, ['today', 'credit', 'last-week', 'may']],
    [{ sort: 'created' }, ['may', 'last-week', 'credit', 'today']],
    [{ sort: 'total' }, ['credit', 'today', 'last-week', 'may']],
    [{ kind: 'credits' }, ['credit']],
    [{ within: 'week' }, ['today']],
    [{ within: '2026-06' }, ['today', 'credit', 'last-week']],
    [{ within: '2026-05' }, ['may']],
    [{ within: '2026-Q2' }, ['today', 'credit', 'last-week', 'may']],
    [{ within: '2025' }, []],
    [{ within: '2026-05-06..2026-06-11' }, ['last-week', 'may']],
    [{ within: '2026-05-07..2026-06-10' }, []],
    [{ within: 'x' }, []],
    [{ currency: 'JPY' }, ['may']],
    [{ text: 'bob' }, ['may']],
    [{ text: 'own-credit' }, ['credit']],
    [{ text: 'credit' }, ['credit']],
    [{ text: `${NOW}` }, []],
    [{ text: 'own-bob' }, ['may']],
    [{ text: 'calc 49' }, []],
    [{ text: 'calc 7' }, ['today', 'credit', 'last-week']],
    [{ text: 'calc 7 pro 2' }, []],
    [{ text: 'calc 49.00' }, ['today', 'last-week']],
    [{ page: '9' }, ['today', 'credit', 'last-week', 'may']],
  ])('of invoices by %j', async (query, expected) => {
    const { rows, count } = await list(query)
    expect([rows.map(({ path }) => path[1]), count]).toEqual([expected, expected.length])
  })

  it('has a hundred rows a page', async () => {
    const many = Array.from({ length: 250 }, (_, index) => invoice(`${index}`))
    const opened = await filledCopy(customers, many)
    const { rows, pages, page, count } = opened.answer('list', { list: 'invoices', page: '3' })
    expect([rows.length, pages, page, count]).toEqual([50, 3, 3, 250])
  })

  it('as CSV has all rows, exact amounts, and nothing that a spreadsheet runs', async () => {
    const opened = await filledCopy(customers, invoices)
    const text = await opened.answer('csv', { list: 'invoices' }).text()
    expect(text.split('\r\n')).toEqual([
      'Number,Date,Customer,Customer id,Net,Tax,Total,Currency,Period start,Period end,What,Discount,Id',
      `own-today,2026-06-15,'=cmd|calc 7,customer-1,49.00,0.00,49.00,EUR,2026-06-15,2026-07-15,"Pro, monthly, €49.00",0.00,today`,
      `own-credit,2026-06-14,'=cmd|calc 7,customer-1,-5.00,0.00,-5.00,EUR,2026-06-14,2026-07-14,"Pro, monthly, €5.00",0.00,credit`,
      `own-last-week,2026-06-11,'=cmd|calc 7,customer-1,49.00,0.00,49.00,EUR,2026-06-11,2026-07-11,"Pro, monthly, €49.00",0.00,last-week`,
      'own-may,2026-05-06,Bob,own-bob,4900,0,4900,JPY,2026-05-06,2026-06-05,"Pro, monthly, ¥4,900",0,may',
      '',
    ])
  })

  it('of subscriptions names the plan and its price, also of what has ended', async () => {
    const held = [invoice('now', { customer: 'ann', total: 9900 }), invoice('first', { days: 30 })]
    const ended = invoice('ended', { customer: 'bob', days: 60, currency: 'JPY' })
    const opened = await filledCopy(customers, [...held, ended])
    const plans = (query: Record<string, string>) =>
      opened
        .answer('list', { list: 'subscriptions', ...query })
        .rows.map(({ cells: { customer, plan, state, monthly } }) => [customer, plan, state, monthly])
    const [paid, none] = [
      { amount: 9900, currency: 'EUR' },
      { amount: 0, currency: 'JPY' },
    ]
    const ofBob = ['Bob', 'Pro, monthly, ¥4,900', 'Ended May 16, 2026', none]
    expect(plans({})).toEqual([
      ['=cmd|calc 7', 'Pro, monthly, €99.00', 'Active until Jul 15, 2026', paid],
      ofBob,
    ])
    expect(plans({ kind: 'ended', currency: 'JPY' })).toEqual([ofBob])
    expect(plans({ kind: 'ended', currency: 'EUR' })).toEqual([])
    const { subscriptions } = opened.answer('customer', 'bob')!
    expect(subscriptions.map(({ cells }) => cells.plan)).toEqual(['Pro, monthly, ¥4,900'])
  })

  it.each<[string, number[], string, boolean]>([
    ['Active until Jul 15, 2026', [0], 'active', true],
    ['Active, not yet renewed', [31], 'active', true],
    ['Ended May 16, 2026', [60], 'ended', true],
    ['Begins Jun 25, 2026', [-10, -40], 'ended', false],
    ['Paused', [60, -10], 'ended', false],
  ])(
    'of subscriptions says "%s" of one with periods that began %j days ago',
    async (state, days, kind, isIn) => {
      const opened = await filledCopy(
        customers,
        days.map((ago) => invoice(`${ago}`, { days: ago })),
      )
      const states = (query: Record<string, string>) =>
        opened.answer('list', { list: 'subscriptions', ...query }).rows.map(({ cells }) => cells.state)
      expect([states({}), states({ kind })]).toEqual([[state], isIn ? [state] : []])
    },
  )

  describe('of customers in two currencies', () => {
    const open = () =>
      filledCopy(
        [...customers, { ...ann, id: 'cy', name: 'Cy' }],
        [
          ...invoices,
          invoice('june', { customer: 'bob', currency: 'JPY' }),
          invoice('once', { customer: 'cy', days: 90, total: 700 }),
          invoice('now', { customer: 'cy', currency: 'JPY', total: 300 }),
        ],
      )
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    const jpy = (amount: number) => ({ amount, currency: 'JPY' })
    const ofAnn = ['ann', eur(4900 + 4900 - 500), eur(4900 + 4900 - 500)]
    const ofCy = ['cy', eur(700), eur(0)]
    const ofBob = ['bob', jpy(4900 + 4900), jpy(4900)]
    const ofCyInYen = ['cy', jpy(300), jpy(300)]

    it.each([
      ['', 'invoiced', [ofCy, ofAnn, ofCyInYen, ofBob]],
      ['', '-invoiced', [ofAnn, ofCy, ofBob, ofCyInYen]],
      ['EUR', '-invoiced', [ofAnn, ofCy]],
      ['JPY', '-monthly', [ofBob, ofCyInYen]],
    ])(
      'shows with the currency "%s", sorted by %s, a row for each currency',
      async (currency, sort, rows) => {
        const page = (await open()).answer('list', { list: 'customers', currency, sort })
        expect(page.rows.map(({ customer, cells }) => [customer, cells.invoiced, cells.monthly])).toEqual(
          rows,
        )
      },
    )

    it('counts a customer once, and sums each currency', async () => {
      const page = (await open()).answer('list', { list: 'customers', sort: '-invoiced' })
      expect(page).toMatchObject({ count: 3, rowCount: 4, isGrouped: true })
      expect(page.sums).toMatchObject([
        { currency: 'EUR', count: 2, amounts: { invoiced: 4900 + 4900 - 500 + 700, monthly: 9300 } },
        { currency: 'JPY', count: 2, amounts: { invoiced: 10_100, monthly: 5200 } },
      ])
    })

    it('has as CSV the same rows', async () => {
      const csv = await (await open())
        .answer('csv', { list: 'customers', currency: 'EUR', text: 'cy' })
        .text()
      expect(csv.split('\r\n')[1]).toMatch(/^Cy,.*,0\.00,7\.00,7\.00,EUR,cy$/)
    })
  })

  it('of customers who joined this month has those whom the movements count', async () => {
    const opened = await filledCopy(customers, invoices)
    const { rows } = opened.answer('list', { list: 'customers', moved: 'began', currency: 'EUR' })
    expect(rows.map(({ path }) => path[1])).toEqual(['ann'])
  })
})
