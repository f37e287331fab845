import type { Invoice, Line } from '../../../client/analytics/index.ts'
import type { ListQuery } from '../../../console/lists/list-query.ts'
import { invoiceOf, lineOf, priceOf, seconds } from '../../client/analytics/invoices.ts'
import { eur, filledCopy } from './copy-in-memory.ts'

const customer = (id: string, country?: string) => ({
  id,
  external_id: `own-${id}`,
  name: id,
  email: `${id}@example.org`,
  metadata: country ? { country } : {},
})

const customers = [customer('Ann', 'DE'), customer('Bob', 'FR'), customer('Cy'), customer('Dee', 'DE')]

/** A line for a plan, from a day of 2026 to another one. */
interface Billed extends Partial<Line> {
  readonly of: string
  readonly plan: string
  readonly from: string
  readonly to: string
  readonly amount: number
  readonly currency?: string
}

const billed = ({ of, plan, from, to, amount, currency = 'EUR', ...line }: Billed): Invoice => {
  const period = { period_start: seconds(`2026-${from}`), period_end: seconds(`2026-${to}`) }
  const price = priceOf(plan, { currency })
  return invoiceOf({
    id: `${of} ${plan} ${from} ${amount}`,
    customer_id: of,
    subscription_id: `${of} ${plan}`,
    created: period.period_start,
    total: amount,
    currency,
    ...period,
    line_items: [lineOf({ ...period, amount, price, type: 'recurring', interval: 'month', ...line })],
  })
}

/** Seen on 15 June 2026. */
const invoices = [
  billed({ of: 'Ann', plan: 'Pro', from: '04-01', to: '05-01', amount: 4900 }),
  billed({ of: 'Ann', plan: 'Pro', from: '05-01', to: '06-01', amount: 9800, quantity: 2 }),
  billed({ of: 'Ann', plan: 'Pro', from: '06-01', to: '07-01', amount: 9800, quantity: 2 }),
  billed({ of: 'Ann', plan: 'Phone', from: '06-01', to: '07-01', amount: 700, currency: 'USD' }),
  billed({ of: 'Bob', plan: 'Pro', from: '03-01', to: '04-01', amount: 3000 }),
  billed({ of: 'Bob', plan: 'Pro', from: '04-01', to: '05-01', amount: 3000 }),
  billed({ of: 'Cy', plan: 'Team', from: '04-10', to: '05-10', amount: 2000 }),
  billed({ of: 'Cy', plan: 'Team', from: '05-10', to: '06-10', amount: 1500 }),
  billed({ of: 'Cy', plan: 'Team', from: '06-10', to: '07-10', amount: 1500 }),
  billed({ of: 'Dee', plan: 'Team', from: '05-20', to: '06-20', amount: 3100 }),
  billed({ of: 'Dee', plan: 'Team', from: '06-05', to: '06-20', amount: -1500 }),
]

const recorded = (theirs: readonly Invoice[] = invoices) =>
  filledCopy(
    customers,
    theirs.map((invoice) => ({ ...invoice, changed: invoice.created })),
  )

const listed = async (query: Omit<ListQuery, 'list'>) =>
  (await recorded()).answer('list', { list: 'movements', ...query })

it.each<{ title: string; query: Omit<ListQuery, 'list'>; expected: string[] }>([
  {
    title: 'all movements, the latest first',
    query: {},
    expected: [
      'Jun Dee Lost',
      'Jun Ann New',
      'May Dee New',
      'May Cy Contraction',
      'May Bob Lost',
      'May Ann Expansion',
      'Apr Cy New',
      'Apr Ann New',
      'Mar Bob New',
    ],
  },
  {
    title: 'those of a quarter',
    query: { within: '2026-Q1' },
    expected: ['Mar Bob New'],
  },
  {
    title: 'those of a month, the largest gain first',
    query: { within: '2026-05' },
    expected: ['May Ann Expansion', 'May Dee New', 'May Cy Contraction', 'May Bob Lost'],
  },
  {
    title: 'those who left in a year, the largest loss first',
    query: { within: '2026', kind: 'churn' },
    expected: ['Jun Dee Lost', 'May Bob Lost'],
  },
  {
    title: 'those of a plan, as movements by plan count them',
    query: { plan: 'Team', within: '2026-05' },
    expected: ['May Dee New', 'May Cy Contraction'],
  },
  {
    title: 'those of customers in a country',
    query: { by: 'country', segment: 'DE', within: '2026-05' },
    expected: ['May Ann Expansion', 'May Dee New'],
  },
  { title: 'those with a reason', query: { reason: 'quantity' }, expected: ['May Ann Expansion'] },
  {
    title: 'those who were credited',
    query: { reason: 'credited' },
    expected: ['Jun Dee Lost'],
  },
  { title: 'those in a currency', query: { currency: 'USD' }, expected: ['Jun Ann New'] },
  {
    title: 'customers who are new in all currencies together',
    query: { customers: 'new', within: '2026-Q2' },
    expected: ['Apr Ann New', 'May Dee New', 'Apr Cy New'],
  },
  { title: 'those whose plan matches a text', query: { text: 'phone' }, expected: ['Jun Ann New'] },
  { title: 'those whose change matches an amount', query: { text: 'change < -1000' }, expected: [] },
])('the list of movements has $title', async ({ query, expected }) => {
  const { rows, count } = await listed(query)
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun']
  expect(
    rows.map(({ cells }) => `${months[Number(cells.month) % 12]} ${cells.customer} ${cells.kind}`),
  ).toEqual(expected)
  expect(count).toBe(expected.length)
})

it('a movement has its plan, its reason, and the revenue before and after it', async () => {
  const { rows } = await listed({ within: '2026-05', kind: 'expansion' })
  expect(rows.map(({ path, cells }) => ({ path, ...cells }))).toMatchObject([
    {
      path: ['customers', 'Ann'],
      plan: 'Pro',
      why: 'Pro: quantity 1 → 2',
      since: null,
      before: eur(4900),
      after: eur(9800),
      change: eur(4900),
    },
  ])
})

it('a discount that ends for two plans of a customer is named once', async () => {
  const ofBoth = (from: string, to: string, discount_amount: number) =>
    ['Pro', 'Team'].map((plan) => billed({ of: 'Ann', plan, from, to, amount: 2000, discount_amount }))
  const copy = await recorded([...ofBoth('04-01', '05-01', 500), ...ofBoth('05-01', '06-01', 0)])
  const { rows } = await copy.answer('list', { list: 'movements', kind: 'expansion' })
  expect(rows.map(({ cells }) => cells.why)).toEqual(['discount ended: a discount'])
})

it.each([
  ['Bob', '2026-05', { plan: 'Pro', why: 'not renewed', since: 2 }],
  ['Dee', '2026-06', { plan: 'Team', why: 'credited', since: 4 }],
])(
  '%s, who left in %s, is listed with the plan, since when and why',
  async (text, within, { since, ...cells }) => {
    const [row] = (await listed({ text, within, kind: 'churn' })).rows
    expect(row!.cells).toMatchObject(cells)
    expect(Number(row!.cells.since) % 12).toBe(since)
  },
)

it('a customer whose renewal may only be late is said to be so', async () => {
  const copy = await recorded([billed({ of: 'Bob', plan: 'Pro', from: '05-10', to: '06-10', amount: 3000 })])
  const { rows } = copy.answer('list', { list: 'movements', kind: 'churn' })
  expect(rows.map(({ cells }) => cells.why)).toEqual(['not renewed, or over 3 days late'])
})

it('a customer who left twice is listed each time, since they came', async () => {
  const months = [
    ['01-01', '02-01'],
    ['03-01', '04-01'],
  ] as const
  const copy = await recorded(
    months.map(([from, to]) => billed({ of: 'Bob', plan: 'Pro', from, to, amount: 3000 })),
  )
  const { rows } = copy.answer('list', { list: 'movements', kind: 'churn', sort: 'month' })
  expect(rows.map(({ cells }) => [Number(cells.since) % 12, Number(cells.month) % 12])).toEqual([
    [0, 1],
    [2, 3],
  ])
})

it.each(['Pro', 'Team'])('a movement of two plans is listed as one, also of the plan %s', async (plan) => {
  const copy = await recorded(
    ['Pro', 'Team'].map((each) =>
      billed({ of: 'Bob', plan: each, from: '06-01', to: '07-01', amount: 3000 }),
    ),
  )
  const { rows } = copy.answer('list', { list: 'movements', plan })
  expect(rows.map(({ cells }) => cells)).toMatchObject([{ plan: 'Pro + Team', change: { amount: 6000 } }])
})

it('the kinds of movements are counted and summed by currency, whichever is chosen, and add up to the change', async () => {
  const { movements, sums } = await listed({ within: '2026-Q2', kind: 'new' })
  expect(movements!.kinds.map(({ kind, count, amounts }) => [kind, count, amounts])).toEqual([
    [
      undefined,
      8,
      [
        { currency: 'EUR', amount: 9800 + 1500 - 3000 },
        { currency: 'USD', amount: 700 },
      ],
    ],
    [
      'new',
      4,
      [
        { currency: 'EUR', amount: 4900 + 2000 + 3100 },
        { currency: 'USD', amount: 700 },
      ],
    ],
    ['reactivation', 0, []],
    ['expansion', 1, [eur(4900)]],
    ['contraction', 1, [eur(-500)]],
    ['churn', 2, [eur(-3000 - 3100)]],
  ])
  expect(sums).toMatchObject([
    { currency: 'EUR', count: 3, amounts: { change: 10_000 } },
    { currency: 'USD', count: 1, amounts: { change: 700 } },
  ])
})

it('the list offers the plans and the reasons of its months and currency, whichever are chosen', async () => {
  const query = { within: '2026-Q2', currency: 'EUR', plan: 'Pro', reason: 'credit' }
  const { movements } = await listed(query)
  expect(movements!.plans).toEqual({ Pro: 'Pro', Team: 'Team' })
  expect(movements!.reasons).toEqual(['quantity', 'price', 'credited', 'not renewed'])
  expect((await listed({ ...query, within: '2026-Q1' })).movements!.reasons).toEqual([])
})

it('CSV has the month, the reason and the customer of every movement', async () => {
  const copy = await recorded()
  const blob = copy.answer('csv', { form: 'point', list: 'movements', within: '2026-05', kind: 'churn' })
  expect((await blob.text()).split('\r\n')).toEqual([
    'Month,Customer,Customer id,Email,Movement,Plan,Reason,Since,"Before, a month",After,Change,Currency,country,Id',
    '2026-05,Bob,own-Bob,Bob@example.org,Lost,Pro,not renewed,2026-03,30.00,0.00,-30.00,EUR,FR,Bob',
    '',
  ])
})
