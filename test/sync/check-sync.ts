import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { segmentsBy } from '../../client/analytics/index.ts'
import { type ClientOptions, createClient } from '../../client/index.ts'
import type { Credentials } from '../../shared/store/credentials.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { currentService } from '../../shared/store/service.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import { createApplication } from '../../tools/applications/applications.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { createSeed } from '../../tools/testing/seed.ts'
import { setClock } from '../support/clock.ts'
import { pastedBlocks } from '../support/documents/shell-portability.ts'
import { reportMissingTool } from '../support/packages/missing-tool.ts'
import { installPythonPackages } from '../support/packages/python-packages.ts'
import { business } from './business.ts'
import { compareFigures } from './compare.ts'

/**
 * Loads an application into DuckDB with dlt and the program in docs/integrate.md, changes four entities, and
 * loads again. Then loads a generated business, and compares the answers of the SQL of docs/analytics.md with
 * the results of the functions.
 */

const CUSTOMERS = 1_200
/** The most pages that dlt may read after four changes. */
const MAX_PAGES = 10
const SUBSCRIPTIONS = 150
const folder = resolve('dist/sync')

const printCustomers = `
import duckdb, json, os
file = f"billing_{os.environ['BILLING_APP_ID']}.duckdb"
rows = duckdb.connect(file, read_only=True).sql("select id, name, email from recorded.customers order by id")
print(json.dumps(rows.fetchall()))`

/** In the folder of the check. Throws Error if it fails. */
const runPython = async (commands: string, args: readonly string[], env = {}): Promise<string> => {
  const dltSettings = { DLT_DATA_DIR: join(folder, 'dlt'), LOAD__DELETE_COMPLETED_JOBS: 'true' }
  const options = { cwd: folder, env: { ...process.env, ...dltSettings, ...env }, maxBuffer: 2 ** 28 }
  const { stdout } = await promisify(execFile)(join(commands, 'python'), args, options)
  return stdout
}

/** In seconds. Before all invoices, since the service records nothing as earlier than what it has recorded. */
let second = Date.parse('2020-01-01') / 1_000
let pages = 0

/** The server to which dlt would send telemetry. */
const telemetry = createServer(() => {
  throw new Error('dlt sends telemetry')
})

const plainInvoice = {
  id: 1,
  customer_id: 1,
  subscription_id: 1,
  currency: 'EUR',
  total: 1900,
  created: '2026-01-01',
  period_start: '2026-01-01',
  period_end: '2026-02-01',
  line_items: [{ amount: 1900, type: 'recurring', interval: 'month', interval_count: 1 }],
} as const
const recurringOfPlainInvoice = {
  month: '2026-01',
  currency: 'EUR',
  plan: '',
  name: null,
  amount: 1900,
}

interface View {
  readonly now: number
  readonly timeZone: string
  readonly recordedUntil?: number
}

/** Returns the arguments of Python that run the SQL of the guide. Times are in seconds. */
const guideSql = ({ now, timeZone, recordedUntil = Number.POSITIVE_INFINITY }: View): string[] => [
  resolve('test/sync/answers.py'),
  'figures.sql',
  `${now}`,
  timeZone,
  `${recordedUntil}`,
]

const runGuideSql = async (commands: string, { app_id }: Credentials, view: View) => {
  const args = guideSql(view)
  return JSON.parse(await runPython(commands, args, { BILLING_APP_ID: app_id }))
}

const checkLoads = async (commands: string, { baseUrl, demo }: LocalService): Promise<void> => {
  const clientOf = ({ app_id: appId, api_key: apiKey }: Credentials) =>
    createClient({ baseUrl, appId, apiKey })
  const client = clientOf(demo)
  await once(telemetry.listen(0, '127.0.0.1'), 'listening')
  const { port } = telemetry.address() as AddressInfo
  /**
   * With a read-only key. Returns the number of pages that dlt has read. Throws Error if the copy differs
   * from the list.
   */
  const load = async (credentials: Credentials = demo): Promise<number> => {
    second += 1
    const { api_key } = await addApiKey(credentials.app_id, { apiKey: newApiKey({ isReadOnly: true }) })
    const env = {
      BILLING_URL: baseUrl,
      BILLING_APP_ID: credentials.app_id,
      BILLING_API_KEY: api_key,
      RUNTIME__DLTHUB_TELEMETRY_ENDPOINT: `http://127.0.0.1:${port}`,
    }
    pages = 0
    await runPython(commands, ['sync.py'], env)
    const readPages = pages
    const copy = JSON.parse(await runPython(commands, ['-c', printCustomers], env))
    const customers = await Array.fromAsync(clientOf(credentials).customers.all())
    const list = customers.map(({ id, name, email }) => [id, name, email])
    if (!isDeepStrictEqual(copy, list.sort())) throw new Error('The copy does not equal the list')
    return readPages
  }
  for (let id = 0; id < CUSTOMERS; id += 1) {
    await client.customers.create({ id, name: 'Ann', email: 'ann@example.org' })
    if (id % 50 === 49) second += 1
  }
  await client.products.create({ id: 'pro', name: 'Pro' })
  await client.invoices.create(plainInvoice)
  const firstPages = await load()
  const now = Date.parse('2026-01-20') / 1_000
  const [, recurringByMonth] = await runGuideSql(commands, demo, { now, timeZone: 'UTC' })
  if (!isDeepStrictEqual(recurringByMonth, [recurringOfPlainInvoice]))
    throw new Error(`The SQL returns without discounts and prices: ${JSON.stringify(recurringByMonth)}`)
  await client.customers.update(1, { name: 'Bea' })
  await client.customers.update(2, { email: null })
  await client.customers.anonymise(3)
  await client.customers.create({ id: 'new', name: 'Cem' })
  const laterPages = await load()
  for (const name of readdirSync(join(folder, 'dlt'), { recursive: true, withFileTypes: true }))
    if (name.isFile() && readFileSync(join(name.parentPath, name.name)).includes('ann@example.org'))
      throw new Error(`dlt keeps a copy of personal data in ${name.name}`)
  const other = await createApplication('Other')
  await clientOf(other).customers.create({ id: 1, name: 'Of another application' })
  await load(other)
  telemetry.close()
  console.log(`dlt read ${firstPages} pages, and ${laterPages} after four changes`)
  if (firstPages < CUSTOMERS / 100) throw new Error('dlt did not read all pages at first')
  if (laterPages > MAX_PAGES) throw new Error('dlt read more than the changes')
}

/**
 * When and where figures are compared: within a month, at its end and at its start, and after all invoices.
 */
const comparisons = [
  { date: '2026-05-20T12:00:00Z', timeZone: 'UTC' },
  { date: '2026-03-01T06:00:00Z', timeZone: 'UTC' },
  { date: '2025-12-31T23:00:00Z', timeZone: 'Europe/Berlin' },
  { date: '2026-02-01T04:59:59Z', timeZone: 'America/New_York' },
  // These are in the days of grace of histories in docs/figures.md.
  { date: '2026-05-02T00:00:00Z', timeZone: 'UTC' },
  { date: '2026-05-02T00:00:00Z', timeZone: 'Australia/Sydney' },
  { date: '2027-10-02T00:00:00Z', timeZone: 'Asia/Kolkata' },
  { date: '2026-05-20T12:00:00Z', timeZone: 'UTC', recorded: '2026-05-03T23:59:59Z' },
]

/** Makes a copy of an application's file that an older DuckDB reads. */
const copyForOldest = (app: string, version: string) => `
import duckdb
duckdb.sql("ATTACH 'billing_${app}.duckdb' AS recent (READ_ONLY)")
duckdb.sql("ATTACH 'billing_oldest.duckdb' AS oldest (STORAGE_VERSION 'v${version}')")
duckdb.sql("COPY FROM DATABASE recent TO oldest")`

/** With the oldest DuckDB that the guide names. Throws Error if its answers differ from those of the newest. */
const checkOldest = async (commands: string, { app_id }: Credentials, args: readonly string[]) => {
  const requirement = resolve('test/sync/oldest-duckdb.txt')
  const version = /duckdb==(\S+)/.exec(readFileSync(requirement, 'utf8'))![1]!
  if (!readFileSync('docs/analytics.md', 'utf8').includes(`DuckDB ${version}`))
    throw new Error(`docs/analytics.md does not name DuckDB ${version}`)
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', 'oldest']
  await runPython(commands, [...install, '-r', requirement])
  await runPython(commands, ['-c', copyForOldest(app_id, version)])
  const answers = await runPython(commands, args, { BILLING_APP_ID: app_id })
  const oldest = { BILLING_APP_ID: 'oldest', PYTHONPATH: join(folder, 'oldest') }
  if ((await runPython(commands, args, oldest)) !== answers)
    throw new Error('The oldest DuckDB answers differently')
  console.log(`DuckDB ${version} answers like the newest`)
}

const DAY = 86_400

/** Records the invoices when they were created, but every ninth one after its month was closed. */
const recordBusiness = async (access: ClientOptions): Promise<void> => {
  const { invoices, ...entities } = business(SUBSCRIPTIONS)
  const recordings = invoices
    .map((invoice, index) => ({
      invoice,
      time: Date.parse(invoice.created) / 1_000 + (index % 9 === 0 ? 40 * DAY : 0),
    }))
    .sort((a, b) => a.time - b.time)
  await createSeed(entities, access)
  for (const { invoice, time } of recordings) {
    second = time
    await createSeed({ invoices: [invoice] }, access)
  }
  second += 1
}

const checkFigures = async (commands: string, { baseUrl, demo }: LocalService): Promise<void> => {
  const access = { baseUrl, appId: demo.app_id, apiKey: demo.api_key }
  const client = createClient(access)
  await recordBusiness(access)
  const env = { BILLING_URL: baseUrl, BILLING_APP_ID: demo.app_id, BILLING_API_KEY: demo.api_key }
  await runPython(commands, ['sync.py'], env)
  // With the times at which the service recorded them.
  const pages = await Array.fromAsync(
    client.invoices.changes({ since: 0, include: ['line_items', 'price', 'discounts'] }),
  )
  const invoices = pages.flatMap(({ items }) => items)
  const segmentOf = segmentsBy(await Array.fromAsync(client.customers.all()), 'country')
  for (const { date, timeZone, recorded } of comparisons) {
    const now = Date.parse(date) / 1_000
    const view = { now, timeZone, ...(recorded && { recordedUntil: Date.parse(recorded) / 1_000 }) }
    const answers = await runGuideSql(commands, demo, view)
    const figures = compareFigures(answers, { ...view, invoices, segmentOf })
    console.log(
      `SQL and functions agree in ${figures} figures of ${invoices.length} invoices on ${date}, ${timeZone}`,
    )
  }
  const { date, timeZone } = comparisons[0]!
  await checkOldest(commands, demo, guideSql({ now: Date.parse(date) / 1_000, timeZone }))
}

const writeBlock = (document: string, language: string, file: string): void => {
  const [code = ''] = pastedBlocks(readFileSync(document, 'utf8'), [language])
  writeFileSync(join(folder, file), code)
}

/** From an empty copy. */
const onService = async (check: (service: LocalService) => Promise<void>): Promise<void> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeBlock('docs/integrate.md', 'python', 'sync.py')
  writeBlock('docs/analytics.md', 'sql', 'figures.sql')
  const service = await startService(localSettings({ PORT: '0' }, ['--memory']))
  try {
    await check(service)
  } finally {
    await service.stop()
  }
}

const commands = installPythonPackages()
if (commands) {
  setClock(() => second * 1_000)
  currentService().log = (line) => {
    if (/"route":"\w+\.list"/.test(line)) pages += 1
  }
  await onService((service) => checkLoads(commands, service))
  await onService((service) => checkFigures(commands, service))
} else reportMissingTool('Python 3 and its packages are needed for the check of dlt')
