import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Client, type Customer, createClient } from '../../client/index.ts'
import {
  billedByPlan,
  discountedByDiscount,
  type Invoice,
  invoicedByCustomer,
  invoicedByMonth,
  linesOf,
  monthName,
  type Ranking,
  recurringByMonth,
  subscriptionsByMonth,
} from '../../console/analytics.ts'
import { setLogSink } from '../../shared/log.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { scenario } from '../../tools/testing/scenario.ts'
import { createSeed } from '../../tools/testing/seed.ts'
import { runToEnd } from '../support/local-process.ts'

/** The code of docs/analytics.md, run on the scenario. */
const guide = readFileSync('docs/analytics.md', 'utf8')
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? ''

const now = Math.floor(Date.now() / 1000)

/** Records what the scenario has none of: two discounts of one invoice, and lines that recur in all ways or in none. */
const addUnusual = async ({ discounts, invoices: { create } }: Client): Promise<void> => {
  await discounts.create({ id: 'loyal', name: 'Loyal', duration: 'forever', percent_off: 5, currency: 'EUR' })
  const ids = { id: 'unusual', customer_id: 'customer-2', subscription_id: 'unusual', currency: 'EUR' }
  const dates = { created: '2026-01-01', period_start: '2026-01-01', period_end: '2100-01-01' }
  const recurring = (['day', 'week', 'month', 'year'] as const).map((interval) => {
    const amounts = { amount: 1005, discount_amount: 10 }
    return { ...amounts, type: 'recurring', interval, interval_count: 2 } as const
  })
  const line_items = [...recurring, { type: 'recurring', amount: 7 } as const]
  await create({ ...ids, ...dates, total: 3987, discounts: ['loyal', 'welcome'], line_items })
}
let service: LocalService
let invoices: Invoice[]
/** Customer 42 of the guide. */
const CUSTOMER = 'customer-1'
let customer: Customer
beforeAll(async () => {
  setLogSink(() => undefined)
  service = await startService(localSettings({ PORT: '0' }, ['--memory']))
  const { baseUrl, demo } = service
  const options = { baseUrl, appId: demo.app_id, apiKey: demo.api_key }
  await createSeed(scenario(Date.now()), options)
  const client = createClient(options)
  await addUnusual(client)
  const include = ['line_items', 'price', 'discounts'] as const
  invoices = await Array.fromAsync(client.invoices.all({ include }))
  customer = await client.customers.retrieve(CUSTOMER)
})
afterAll(() => service.stop())
const invoicesOfCustomer = () => invoices.filter(({ customer_id }) => customer_id === customer.id)

it('the program prints what the functions say', async () => {
  const { baseUrl, demo } = service
  const env = { BASE_URL: baseUrl, APP_ID: demo.app_id, API_KEY: demo.api_key, CUSTOMER }
  const args = ['--input-type=module', '--eval', blockOf('js')]
  const { out } = await runToEnd(process.execPath, args, { ...process.env, ...env })
  const answers = {
    invoiced: invoicedByMonth(invoices, now),
    recurring: recurringByMonth(invoices, now),
    subscriptions: subscriptionsByMonth(invoices, now),
    customers: invoicedByCustomer(invoices),
    plans: billedByPlan(invoices),
    discounts: discountedByDiscount(invoices),
    customer: { ...customer, invoices: invoicesOfCustomer() },
  }
  expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(answers)))
})

/** The invoices in the tables of the guide. */
const warehouse = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:')
  const tables = {
    customers: ['id', 'external_id', 'name'],
    invoices: ['id', 'customer_id', 'currency', 'created', 'total'],
    discounts: ['invoice_id', 'name'],
    lines: [
      ...['invoice_id', 'subscription_id', 'plan', 'currency', 'amount', 'discount_amount', 'type'],
      ...['interval', 'interval_count', 'period_start', 'period_end'],
    ],
  } as const
  const insert = (table: keyof typeof tables, rows: readonly object[]) => {
    const columns = tables[table]
    database.exec(`CREATE TABLE ${table} (${columns.join()})`)
    const statement = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join()})`)
    for (const row of rows)
      statement.run(...columns.map((column) => (row as Record<string, string>)[column]!))
  }
  insert('customers', [{ ...customer, external_id: CUSTOMER }])
  insert('invoices', invoices)
  const discounted = invoices.flatMap(({ id: invoice_id, discounts }) =>
    discounts.map(({ id, name }) => ({ invoice_id, name: name ?? id })),
  )
  insert('discounts', discounted)
  const lines = linesOf(invoices).map(({ invoice, start, end, ...line }) => {
    const { id: invoice_id, subscription_id } = invoice
    return { ...line, invoice_id, subscription_id, period_start: start, period_end: end }
  })
  insert('lines', lines)
  return database
}

const rowsOf = (rankings: readonly Ranking[]) =>
  rankings.flatMap(({ currency, rows }) => rows.map((row) => ({ currency, ...row })))

it('the SQL says the same as the functions', () => {
  const database = warehouse()
  const results = blockOf('sql')
    .split(';\n')
    .filter((statement) => statement.trim() !== '')
    .map((statement) => {
      const given = Object.entries({ now, customer: CUSTOMER }).filter(([name]) =>
        statement.includes(`:${name}`),
      )
      return database
        .prepare(statement)
        .all(Object.fromEntries(given))
        .map((row) => ({ ...row }))
    })
  const sorted = (rows: readonly object[]) =>
    rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  const months = invoicedByMonth(invoices, now).flatMap((chart) =>
    chart.months.flatMap((month, index) => {
      const amount = chart.series[0]!.values[index]!
      return amount === 0 ? [] : [{ currency: chart.currency, month: monthName(month), amount }]
    }),
  )
  const plans = recurringByMonth(invoices, now).flatMap(({ currency, series }) =>
    series.slice(1).flatMap(({ name: plan, values }) => {
      const amount = values.at(-1)!
      return amount === 0 ? [] : [{ currency, plan, amount }]
    }),
  )
  const [active, fresh, lost] = subscriptionsByMonth(invoices, now).series.map(({ values }) => values.at(-1))
  const expected = [
    months,
    plans,
    [{ active, new: fresh, lost }],
    rowsOf(invoicedByCustomer(invoices)),
    rowsOf(billedByPlan(invoices)),
    rowsOf(discountedByDiscount(invoices)),
    invoicesOfCustomer().map(({ id, created, currency, total }) => ({ id, created, currency, total })),
  ]
  expect(results.map(sorted)).toEqual(expected.map(sorted))
})
