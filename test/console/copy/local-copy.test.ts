import { type CopyDatabase, openLocalCopy, type Tabs } from '../../../console/copy/local-copy.ts'
import type { CopiedList, RecordedEntity } from '../../../console/records/entities.ts'
import { range } from '../../support/range.ts'
import { databaseInMemory, eur, filledCopy, invoice, jpy, NOW, openInMemory } from './copy-in-memory.ts'

const ann = { id: 'ann', external_id: 'customer-1', name: 'Ann', email: 'ann@example.org', changed: 5 }
const erased = { id: 'ann', name: 'Anonymous customer', email: 'anonymous@anonymous.invalid', metadata: {} }

describe('the copy', () => {
  it('is as of the time at which the first of its lists was complete, but only once all lists are', async () => {
    const { database, bookmarks } = databaseInMemory()
    const copy = await openInMemory(database)
    await copy.write('customers', { items: [ann], requestedAt: 1 }, { since: 5, asOf: 70 })
    expect(copy.extent()).toEqual({ customers: 1, invoices: 0, asOf: 0 })
    await copy.write('invoices', { items: [], requestedAt: 1 }, { since: 0, asOf: 60 })
    expect(copy.extent().asOf).toBe(0)
    await copy.write('discounts', { items: [], requestedAt: 1 }, { since: 0, asOf: 80 })
    await copy.write('products', { items: [], requestedAt: 1 }, { since: 0, asOf: 90 })
    await copy.write('prices', { items: [], requestedAt: 1 }, { since: 0, asOf: 100 })
    await copy.write('subscriptions', { items: [], requestedAt: 1 }, { since: 0, asOf: 110 })
    expect(copy.extent()).toEqual({ customers: 1, invoices: 0, asOf: 60 })
    expect(bookmarks.get('customers')!.asOf).toBe(70)
    expect(bookmarks.get('invoices')!.asOf).toBe(60)
    expect(bookmarks.get('discounts')!.asOf).toBe(80)
    const reopened = await openInMemory(database)
    expect(reopened.extent()).toEqual(copy.extent())
  })

  it('does not show a customer who was erased here when a page that was requested before arrives after', async () => {
    const { database, lists } = databaseInMemory()
    const copy = await openInMemory(database)
    const bookmark = { since: 5, asOf: NOW }
    await copy.write('customers', { items: [ann], requestedAt: Date.now() }, bookmark)
    const beforeErasure = Date.now() - 1
    await copy.save('customers', erased)
    await copy.write('customers', { items: [ann], requestedAt: beforeErasure }, bookmark)
    for (const openCopy of [copy, await openInMemory(database)]) {
      expect(openCopy.answer('search', 'ann@example.org').found).toEqual([])
      expect(openCopy.answer('search', 'customer-1').found).toEqual([
        { id: 'ann', name: erased.name, email: erased.email, external_id: 'customer-1' },
      ])
    }
    expect(JSON.stringify([...lists.customers.values()])).not.toContain('ann@example.org')
    // A page that was requested after the erasure is stored.
    await copy.write(
      'customers',
      { items: [{ ...ann, name: 'Ann Two' }], requestedAt: Date.now() + 1 },
      bookmark,
    )
    expect(copy.answer('search', 'ann two').count).toBe(1)
  })

  it('reports of each page that it writes whether a change feed returned all of its entities before', async () => {
    const copy = await openInMemory()
    const write = (...items: RecordedEntity[]) =>
      copy.write('invoices', { items, requestedAt: 1 }, { since: 0, asOf: 0 })
    expect(await write({ id: 'new' })).toBe(false)
    expect(await write({ id: 'new' })).toBe(false)
    const fromChangeFeed = { id: 'new', changed: 1 }
    expect(await write(fromChangeFeed)).toBe(false)
    expect(await write({ id: 'new' })).toBe(true)
    expect(await write()).toBe(true)
  })

  const invoiceNaming = (id: string, name: string) => {
    const unnamed = invoice(id)
    const price = { ...unnamed.line_items[0]!.price!, product: { id: 'pro', name: `${name} plan` } }
    const discounts = [{ id: 'spring', name: `${name} discount` }]
    const line = { ...unnamed.line_items[0]!, discount_amount: 100, price }
    const setup = { ...price, id: 'setup', interval: null, title: `${name} title` }
    const line_items = [line, { ...line, discount_amount: 0, price: setup }]
    return { ...unnamed, line_items, discounts }
  }

  it.each([
    ['after', ['first invoice', 'names', 'second invoice']],
    ['before', ['names', 'first invoice', 'second invoice']],
  ])(
    'shows a product, a discount and a price by their new names if they are read %s the invoices with the old ones',
    async (_, order) => {
      const { database } = databaseInMemory()
      const copy = await openInMemory(database)
      const write = (plural: CopiedList, item: object) =>
        copy.write(
          plural,
          { items: [item as RecordedEntity], requestedAt: Date.now() },
          { since: NOW, asOf: NOW },
        )
      await write('customers', ann)
      for (const read of order)
        if (read === 'names') {
          await write('products', { id: 'pro', name: 'New plan' })
          await write('discounts', { id: 'spring', name: 'New discount' })
          await write('prices', { id: 'setup', title: 'New title' })
          await write('subscriptions', { id: 'sub-ann' })
        } else await write('invoices', invoiceNaming(read, 'Old'))
      for (const openCopy of [copy, await openInMemory(database)]) {
        const { plans, discounts } = openCopy.answer('overview', {})!.rankings
        expect(plans.rows.map(({ name }) => name)).toEqual(['New plan'])
        expect(discounts.rows.map(({ name }) => name)).toEqual(['New discount'])
        const found = (text: string) => openCopy.answer('list', { list: 'invoices', text }).rows
        expect(found('new discount')).toHaveLength(2)
        expect(found('new title')).toHaveLength(2)
        expect(found('old')).toEqual([])
      }
    },
  )

  it('has the changes that another tab saved', async () => {
    const otherTabs: Tabs = { postMessage: () => undefined, onmessage: null }
    const tabs: Tabs = { postMessage: (data) => otherTabs.onmessage!({ data }), onmessage: null }
    const onOtherTabSave = jest.fn()
    const { database } = databaseInMemory()
    const copy = await openLocalCopy({ database, tabs, onOtherTabSave })
    const otherCopy = await openLocalCopy({ database, tabs: otherTabs, onOtherTabSave })
    const beforeErasure = Date.now() - 1
    await copy.save('customers', erased)
    expect(otherCopy.answer('search', 'anonymous').found).toMatchObject([{ id: 'ann' }])
    expect(onOtherTabSave).toHaveBeenCalledTimes(1)
    // A read that was requested before the erasure arrives after it.
    await copy.save('customers', ann, beforeErasure)
    await otherCopy.save('customers', ann, beforeErasure)
    for (const openCopy of [copy, otherCopy, await openInMemory(database)])
      expect(openCopy.answer('search', 'ann@example.org').found).toEqual([])
  })

  it('begins at the bookmark from before its opening if another tab writes meanwhile', async () => {
    const { database, bookmarks } = databaseInMemory()
    bookmarks.set('customers', { since: 5, asOf: 6 })
    const all: CopyDatabase['all'] = async function* (plural) {
      yield* database.all(plural)
      await database.write('customers', [ann], { since: 9, asOf: 9 })
    }
    const copy = await openInMemory({ ...database, all })
    expect(copy.bookmark('customers').since).toBe(5)
  })

  it('has the changes that another tab saved while it was being opened', async () => {
    const { database } = databaseInMemory()
    const earlierCopy = await openInMemory(database)
    await earlierCopy.write('customers', { items: [ann], requestedAt: 1 }, { since: 5, asOf: 70 })
    const tabs: Tabs = { postMessage: () => undefined, onmessage: null }
    const opening = openLocalCopy({ database, tabs, onOtherTabSave: () => undefined })
    const saved = { plural: 'customers', entity: { ...ann, ...erased }, at: Date.now() } as const
    tabs.onmessage?.({ data: saved })
    const copy = await opening
    const { name, email } = erased
    expect(copy.answer('search', 'customer-1').found).toMatchObject([{ name, email }])
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
  ])('finds for "%s" the customers %j, and so does the list of customers', async (typed, expected) => {
    const copy = await filledCopy(people, [invoice('first', { customer: 'cus_1' })])
    expect(copy.answer('search', typed).found.map(({ id }) => id)).toEqual(expected)
    const { rows } = copy.answer('list', { list: 'customers', text: typed, sort: 'id' })
    expect(rows.map(({ customer }) => customer)).toEqual(expected)
  })

  it.each([
    ['LOYAL20', true, ['discounts disc_1 Loyal']],
    ['loyal20', false, ['discounts disc_1 Loyal']],
    ['sub-7', true, ['subscriptions sub_7 sub-7']],
    ['CUS_1', false, ['customers cus_1 Jiří Yılmaz']],
    ['42', true, ['customers cus_1 Jiří Yılmaz', 'invoices inv_1 42']],
    ['own-x', true, ['invoices x own-x']],
    ['OWN-X', true, ['invoices y OWN-X']],
    ['Own-X', false, ['invoices x own-x', 'invoices y OWN-X']],
    ['nobody', false, []],
  ])('finds for the id "%s" (exact: %s) the records %j', async (id, isExact, expected) => {
    const invoices = [
      { ...invoice('inv_1'), external_id: '42' },
      invoice('x'),
      { ...invoice('y'), external_id: 'OWN-X' },
    ]
    const discount = { id: 'disc_1', external_id: 'LOYAL20', name: 'Loyal' }
    const subscription = { id: 'sub_7', external_id: 'sub-7' }
    const copy = await filledCopy(people, invoices, { discounts: [discount], subscriptions: [subscription] })
    const found = copy.answer('recordsOfId', id)
    const records = found.records.map((record) => `${record.list} ${record.id} ${record.label}`)
    expect({ isExact: found.isExact, records }).toEqual({ isExact, records: expected })
  })

  it('finds nothing for spaces', async () => {
    const copy = await filledCopy(people, [])
    expect(copy.answer('search', '  ').found).toEqual([])
  })

  it('returns at most eight customers, and how many it found', async () => {
    const twelve = range(12).map((id) => ({ id: `cus_${id}`, name: `Ann ${id}`, email: null }))
    const copy = await filledCopy(twelve, [])
    const { found, count } = copy.answer('search', 'ann')
    expect(found).toHaveLength(8)
    expect(count).toBe(12)
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

  it.each<[Record<string, string>, string[]]>([
    [{}, ['today', 'credit', 'last-week', 'may']],
    [{ sort: 'created' }, ['may', 'last-week', 'credit', 'today']],
    [{ sort: 'total' }, ['credit', 'last-week', 'today', 'may']],
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
    [{ text: 'credit: pro' }, ['credit']],
    [{ text: `${NOW}` }, []],
    [{ text: 'own-bob' }, ['may']],
    [{ text: 'calc 49' }, []],
    [{ text: 'calc 7' }, ['today', 'credit', 'last-week']],
    [{ text: 'calc 7 pro 2' }, []],
    [{ text: 'calc 49.00' }, ['today', 'last-week']],
    [{ page: '9' }, ['today', 'credit', 'last-week', 'may']],
  ])('of invoices with the choices %j has the rows %j', async (query, expected) => {
    const copy = await filledCopy(customers, invoices)
    const { rows, count } = copy.answer('list', { list: 'invoices', ...query })
    expect(rows.map(({ path }) => path[1])).toEqual(expected)
    expect(count).toBe(expected.length)
  })

  it.each([
    ['customers', {}, '-since'],
    ['customers', { within: '2026' }, '-since'],
    ['subscriptions', {}, '-since'],
    ['subscriptions', { within: '2026' }, '-until'],
    ['movements', {}, '-month'],
    ['movements', { within: '2026-Q2' }, '-month'],
    ['movements', { within: '2026-06' }, '-change'],
    ['movements', { kind: 'expansion' }, '-change'],
    ['movements', { kind: 'contraction' }, 'change'],
    ['movements', { kind: 'churn' }, 'change'],
    ['movements', { customers: 'new' }, '-change'],
    ['movements', { customers: 'lost' }, 'change'],
  ] as const)('of %s with the choices %j is sorted by %s', async (list, query, expected) => {
    const copy = await filledCopy(customers, invoices)
    expect(copy.answer('list', { list, ...query }).sort).toBe(expected)
  })

  it.each(['invoices', 'subscriptions'] as const)(
    'of %s is filtered by the own id of a subscription',
    async (list) => {
      const subscriptions = [{ id: 'sub-ann', external_id: 'S-PRAIRIE' }]
      const copy = await filledCopy(customers, invoices, { subscriptions })
      const { rows } = copy.answer('list', { list, text: 's-prairie' })
      expect(new Set(rows.map(({ customer }) => customer))).toEqual(new Set(['ann']))
    },
  )

  it.each([
    ['country:DE', ['ann']],
    ['country: DE', ['ann']],
    ['Country:de', ['ann']],
    ['cy country:DE', []],
    ['x: country:DE', []],
    ['country:FR', []],
    ['plan:DE', []],
  ])('of customers with the filter "%s" has the customers %j', async (text, expected) => {
    const metadata = { country: 'DE' }
    const copy = await filledCopy(
      [
        { ...ann, metadata },
        { id: 'cy', name: 'Cy', email: null },
      ],
      [],
    )
    const { rows } = copy.answer('list', { list: 'customers', text })
    expect(rows.map(({ customer }) => customer)).toEqual(expected)
  })

  it('of the invoices with a discount has what the discount costs', async () => {
    const discounted = (id: string, discount_amount: number, discountIds: readonly string[]) => {
      const plain = invoice(id)
      const line_items = [{ ...plain.line_items[0]!, discount_amount }]
      return { ...plain, line_items, discounts: discountIds.map((each) => ({ id: each, name: each })) }
    }
    const discountedInvoices = [discounted('a', 500, ['loyal']), discounted('b', 300, ['loyal', 'spring'])]
    const loyal = { id: 'loyal', external_id: 'LOYAL20', name: 'Loyal' }
    const copy = await filledCopy(customers, [...invoices, ...discountedInvoices], { discounts: [loyal] })
    const page = copy.answer('list', { list: 'invoices', discount: 'loyal' })
    expect(page).toMatchObject({ count: 2, discountLabel: 'Loyal', sums: [{ amounts: { discount: 800 } }] })
    expect(copy.answer('discount', 'loyal').uses).toEqual([
      { currency: 'EUR', amount: 800, invoices: 2, sharedInvoices: 1, customers: 1 },
    ])
    expect(copy.answer('discount', 'unused').uses).toEqual([])
  })

  it.each([
    [{}, 'Customer,Customer id,Email,Plan,State,Since,Billed until,"Monthly value, net",Currency,Your id,Id'],
    [
      { renews: '2026-07' },
      'Customer,Customer id,Email,Plan,Renewal due,"Expected, net",Currency,Your id,Id',
    ],
  ])(
    'of subscriptions with the choices %j has the customer and your id in its CSV',
    async (query, header) => {
      const subscriptions = [{ id: 'sub-ann', external_id: 'S-PRAIRIE' }]
      const copy = await filledCopy([ann], [invoice('today')], { subscriptions })
      const text = await copy.answer('csv', { form: 'point', list: 'subscriptions', ...query }).text()
      const [first, row = ''] = text.split('\r\n')
      expect(first).toBe(header)
      expect(row).toMatch(/^Ann,customer-1,ann@example\.org,.*,EUR,S-PRAIRIE,sub-ann$/)
    },
  )

  it.each([
    [
      'a price',
      [invoice('now', { total: 2900 }), invoice('first', { days: 30 })],
      'Contraction, Jun 2026: Pro: price changed',
    ],
    ['a pause', [invoice('now'), invoice('first', { days: 75 })], 'Reactivated, Jun 2026'],
    ['no change', [invoice('now'), invoice('first', { days: 30 })], null],
  ])('of the subscriptions of a customer shows the last change: %s', async (_, theirs, expected) => {
    const copy = await filledCopy([ann], theirs)
    const { subscriptions, subscriptionColumns } = copy.answer('customer', 'ann')!
    expect(subscriptions.map(({ cells }) => cells.changed)).toEqual([expected])
    // A column without a value takes no space.
    expect(subscriptionColumns.some(({ title }) => title === 'Last change')).toBe(expected !== null)
  })

  it('has a hundred rows a page', async () => {
    const invoices = range(250).map((index) => invoice(`${index}`))
    const copy = await filledCopy(customers, invoices)
    const lastPage = copy.answer('list', { list: 'invoices', page: '3' })
    expect(lastPage).toMatchObject({ pages: 3, page: 3, count: 250 })
    expect(lastPage.rows).toHaveLength(50)
  })

  it('of invoices as CSV has all lines, and the net amount of those that are not for a plan', async () => {
    const plan = invoice('mixed')
    const price = { ...plan.line_items[0]!.price!, id: 'workshop', title: 'Workshop', interval: null }
    const workshop = {
      ...plan.line_items[0]!,
      amount: 45_000,
      type: 'one_time' as const,
      interval: null,
      price,
    }
    const mixed = { ...plan, total: 49_900, line_items: [...plan.line_items, workshop] }
    const copy = await filledCopy(customers, [mixed])
    const text = await copy.answer('csv', { form: 'point', list: 'invoices' }).text()
    expect(text.split('\r\n')[1]).toContain(
      '"Pro, monthly, €49.00; Pro, Workshop, once, €49.00",450.00,0.00,mixed',
    )
  })

  it('as CSV has all rows, exact amounts, and no formula that a spreadsheet would run', async () => {
    const copy = await filledCopy(customers, invoices)
    const text = await copy.answer('csv', { form: 'point', list: 'invoices' }).text()
    expect(text.split('\r\n')).toEqual([
      'Number,Date,Customer,Customer id,Email,Net,Tax rate %,Tax,Total,Currency,Period start,Period end,Description,"One-off, net",Discount,Id',
      `own-today,2026-06-15,'=cmd|calc 7,customer-1,ann@example.org,49.00,0,0.00,49.00,EUR,2026-06-15,2026-07-15,"Pro, monthly, €49.00",0.00,0.00,today`,
      `own-credit,2026-06-14,'=cmd|calc 7,customer-1,ann@example.org,-5.00,0,0.00,-5.00,EUR,2026-06-14,2026-07-14,"Credit: Pro, monthly",0.00,0.00,credit`,
      `own-last-week,2026-06-11,'=cmd|calc 7,customer-1,ann@example.org,49.00,0,0.00,49.00,EUR,2026-06-11,2026-07-11,"Pro, monthly, €49.00",0.00,0.00,last-week`,
      'own-may,2026-05-06,Bob,own-bob,ann@example.org,4900,0,0,4900,JPY,2026-05-06,2026-06-05,"Pro, monthly, ¥4,900",0,0,may',
      '',
    ])
  })

  it('as CSV creates no format of dates for each row, because each takes longer than all of the row', async () => {
    const create = jest.spyOn(Intl, 'DateTimeFormat')
    const copy = await filledCopy(
      customers,
      range(50).map((index) => invoice(`${index}`)),
    )
    await copy.answer('csv', { form: 'point', list: 'invoices' }).text()
    expect(create.mock.calls.length).toBeLessThan(20)
  })

  it('of subscriptions names the plan and its price, also of a subscription that has ended', async () => {
    const renewed = [invoice('now', { customer: 'ann', total: 9900 }), invoice('first', { days: 30 })]
    const ended = invoice('ended', { customer: 'bob', days: 60, currency: 'JPY' })
    const copy = await filledCopy(customers, [...renewed, ended])
    const listedCells = (query: Record<string, string>) =>
      copy.answer('list', { list: 'subscriptions', ...query }).rows.map(({ cells }) => cells)
    const cellsOfAnn = {
      customer: '=cmd|calc 7',
      plan: 'Pro, monthly, €99.00',
      state: 'Active until 15 Jul 2026',
      monthly: eur(9900),
    }
    const cellsOfBob = {
      customer: 'Bob',
      plan: 'Pro, monthly, ¥4,900',
      state: 'Ended 16 May 2026',
      monthly: jpy(0),
    }
    expect(listedCells({})).toMatchObject([cellsOfAnn, cellsOfBob])
    expect(listedCells({ kind: 'ended', currency: 'JPY' })).toMatchObject([cellsOfBob])
    expect(listedCells({ kind: 'ended', currency: 'EUR' })).toEqual([])
    const { subscriptions } = copy.answer('customer', 'bob')!
    expect(subscriptions.map(({ cells }) => cells.plan)).toEqual(['Pro, monthly, ¥4,900'])
  })

  it.each<{ state: string; daysAgo: number[]; active: string[]; ended: string[] }>([
    { daysAgo: [0], state: 'Active until 15 Jul 2026', active: ['sub-ann'], ended: [] },
    { daysAgo: [31], state: 'Renewal due 14 Jun 2026', active: ['sub-ann'], ended: [] },
    { daysAgo: [60], state: 'Ended 16 May 2026', active: [], ended: ['sub-ann'] },
    { daysAgo: [-10, -40], state: 'Begins 25 Jun 2026', active: [], ended: [] },
    { daysAgo: [60, -10], state: 'Paused', active: [], ended: [] },
  ])(
    'of subscriptions shows "$state" for a subscription with periods that began $daysAgo days ago',
    async ({ daysAgo, state, active, ended }) => {
      const invoices = daysAgo.map((days) => invoice(`${days}`, { days }))
      const copy = await filledCopy(customers, invoices)
      const listed = (query: Record<string, string>) =>
        copy.answer('list', { list: 'subscriptions', ...query }).rows
      expect(listed({}).map(({ cells }) => cells.state)).toEqual([state])
      expect(listed({ kind: 'active' }).map(({ path }) => path[1])).toEqual(active)
      expect(listed({ kind: 'ended' }).map(({ path }) => path[1])).toEqual(ended)
    },
  )

  describe('of customers in two currencies', () => {
    const openCopy = () =>
      filledCopy(
        [...customers, { ...ann, id: 'cy', name: 'Cy' }],
        [
          ...invoices,
          invoice('june', { customer: 'bob', currency: 'JPY' }),
          invoice('once', { customer: 'cy', days: 90, total: 700 }),
          invoice('now', { customer: 'cy', currency: 'JPY', total: 300 }),
        ],
      )
    const total = 4900 + 4900 - 500
    const annInEuros = { customer: 'ann', cells: { invoiced: eur(total), monthly: eur(total) } }
    const cyInEuros = { customer: 'cy', cells: { invoiced: eur(700), monthly: eur(0) } }
    const bobInYen = { customer: 'bob', cells: { invoiced: jpy(4900 + 4900), monthly: jpy(4900) } }
    const cyInYen = { customer: 'cy', cells: { invoiced: jpy(300), monthly: jpy(300) } }

    it.each([
      { currency: '', sort: 'invoiced', expected: [cyInEuros, annInEuros, cyInYen, bobInYen] },
      { currency: '', sort: '-invoiced', expected: [annInEuros, cyInEuros, bobInYen, cyInYen] },
      { currency: 'EUR', sort: '-invoiced', expected: [annInEuros, cyInEuros] },
      { currency: 'JPY', sort: '-monthly', expected: [bobInYen, cyInYen] },
    ])(
      'has a row for each currency, with the currency "$currency" and sorted by $sort',
      async ({ currency, sort, expected }) => {
        const copy = await openCopy()
        const { rows } = copy.answer('list', { list: 'customers', currency, sort })
        expect(rows).toMatchObject(expected)
      },
    )

    it('counts a customer once, and sums each currency', async () => {
      const copy = await openCopy()
      const page = copy.answer('list', { list: 'customers', sort: '-invoiced' })
      expect(page).toMatchObject({ count: 3, rowCount: 4, isGrouped: true })
      expect(page.sums).toMatchObject([
        { currency: 'EUR', count: 2, amounts: { invoiced: 4900 + 4900 - 500 + 700, monthly: 9300 } },
        { currency: 'JPY', count: 2, amounts: { invoiced: 10_100, monthly: 5200 } },
      ])
    })

    it('has the same rows as CSV', async () => {
      const copy = await openCopy()
      const csv = await copy
        .answer('csv', { form: 'point', list: 'customers', currency: 'EUR', text: 'cy' })
        .text()
      expect(csv.split('\r\n')[1]).toMatch(/^Cy,.*,0\.00,7\.00,7\.00,EUR,cy$/)
    })
  })
})
