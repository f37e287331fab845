import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '../../client/index.ts'
import {
  invoicedByMonth,
  monthName,
  recurringByMonth,
  subscriptionsByMonth,
} from '../../console/analytics/charts.ts'
import { type Invoice, planOf } from '../../console/analytics/invoice.ts'
import { billedByPlan, invoicedByCustomer, type Ranking } from '../../console/analytics/totals.ts'
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
let service: LocalService
let invoices: Invoice[]
beforeAll(async () => {
  setLogSink(() => undefined)
  service = await startService(localSettings({ PORT: '0' }, ['--memory']))
  const { baseUrl, demo } = service
  const options = { baseUrl, appId: demo.app_id, apiKey: demo.api_key }
  await createSeed(scenario(Date.now()), options)
  const include = ['line_items', 'price', 'discounts'] as const
  invoices = (await Array.fromAsync(createClient(options).invoices.all({ include }))) as Invoice[]
})
afterAll(() => service.stop())

it('the program prints what the functions say', async () => {
  const { baseUrl, demo } = service
  const env = { BASE_URL: baseUrl, APP_ID: demo.app_id, API_KEY: demo.api_key }
  const args = ['--input-type=module', '--eval', blockOf('js')]
  const { out } = await runToEnd(process.execPath, args, { ...process.env, ...env })
  expect(JSON.parse(out)).toEqual({
    recurring: JSON.parse(JSON.stringify(recurringByMonth(invoices, now))),
    customers: invoicedByCustomer(invoices),
  })
})

/** The invoices in the two tables of the guide. */
const warehouse = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE TABLE invoices (currency, created, total, customer_id);
    CREATE TABLE lines (subscription_id, currency, plan, amount, discount_amount, type, interval, interval_count,
      period_start, period_end)`)
  const invoice = database.prepare('INSERT INTO invoices VALUES (?, ?, ?, ?)')
  const line = database.prepare('INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const of of invoices) {
    invoice.run(of.currency, of.created, of.total, of.customer_id)
    for (const each of of.line_items) {
      const { amount, discount_amount, type, interval, interval_count } = each
      const period = [each.period_start ?? of.period_start, each.period_end ?? of.period_end]
      const plan = [of.subscription_id, each.currency ?? of.currency, planOf(each)]
      line.run(...plan, amount, discount_amount, type, interval, interval_count, ...period)
    }
  }
  return database
}

const rowsOf = (rankings: readonly Ranking[]) =>
  rankings.flatMap(({ currency, rows }) => rows.map((row) => ({ currency, ...row })))

it('the SQL says the same as the functions', () => {
  const database = warehouse()
  const responses = blockOf('sql')
    .split(';\n')
    .filter((statement) => statement.trim() !== '')
    .map((statement) => {
      const rows = statement.includes(':now')
        ? database.prepare(statement).all({ now })
        : database.prepare(statement).all()
      return rows.map((row) => ({ ...row }))
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
  const active = subscriptionsByMonth(invoices, now).series[0]!.values.at(-1)
  const expected = [
    months,
    plans,
    [{ active }],
    rowsOf(invoicedByCustomer(invoices)),
    rowsOf(billedByPlan(invoices)),
  ]
  expect(responses.map(sorted)).toEqual(expected.map(sorted))
})
