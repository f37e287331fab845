import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { createClient } from '../../client/index.ts'
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
 * Lets dlt load an application into DuckDB by the program in docs/integrate.md, changes four entities, and lets it load
 * again. Then lets it load a generated business, and compares the answers of the SQL of docs/analytics.md with those of the
 * functions.
 */

const CUSTOMERS = 1_200
const MAX_PAGES = 10
const BUSINESS = 150
const folder = resolve('dist/sync')

const readCopy = `
import duckdb, json, os
file = f"billing_{os.environ['BILLING_APP_ID']}.duckdb"
rows = duckdb.connect(file, read_only=True).sql("select id, name, email from recorded.customers order by id")
print(json.dumps(rows.fetchall()))`

/** Runs Python in an environment of its own. Returns what it writes. Throws Error if it fails. */
const python = async (commands: string, args: readonly string[], env: object): Promise<string> => {
  const own = { DLT_DATA_DIR: join(folder, 'dlt'), LOAD__DELETE_COMPLETED_JOBS: 'true' }
  const options = { cwd: folder, env: { ...process.env, ...own, ...env }, maxBuffer: 2 ** 28 }
  return (await promisify(execFile)(join(commands, 'python'), args, options)).stdout
}

let second = Math.floor(Date.now() / 1_000)
let pages = 0

/** Where dlt would report its use. */
const telemetry = createServer(() => {
  throw new Error('dlt reports its use')
})

/** An invoice of an application that has no discount, no price and no tax yet. */
const plainInvoice = {
  ...{ id: 1, customer_id: 1, subscription_id: 1, currency: 'EUR', total: 1900, created: '2026-01-01' },
  ...{ period_start: '2026-01-01', period_end: '2026-02-01' },
  line_items: [{ amount: 1900, type: 'recurring', interval: 'month', interval_count: 1 }],
} as const
const recurringOfPlainInvoice = {
  ...{ month: '2026-01', currency: 'EUR', plan: '', name: null, amount: 1900 },
}

/** The arguments of the program that asks the SQL of the guide, up to the time. */
const askSql = [resolve('test/sync/answers.py'), 'figures.sql']

const check = async (commands: string, { baseUrl, demo }: LocalService): Promise<void> => {
  const clientOf = ({ app_id: appId, api_key: apiKey }: Credentials) =>
    createClient({ baseUrl, appId, apiKey })
  const client = clientOf(demo)
  await once(telemetry.listen(0, '127.0.0.1'), 'listening')
  const { port } = telemetry.address() as AddressInfo
  /** Loads with a read-only key. Returns the number of pages that dlt has read. Throws Error if the copy is not the list. */
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
    await python(commands, ['sync.py'], env)
    const read = pages
    const copy = JSON.parse(await python(commands, ['-c', readCopy], env))
    const customers = await Array.fromAsync(clientOf(credentials).customers.all())
    const list = customers.map(({ id, name, email }) => [id, name, email])
    if (!isDeepStrictEqual(copy, list.sort())) throw new Error('The copy does not equal the list')
    return read
  }
  for (let id = 0; id < CUSTOMERS; id += 1) {
    await client.customers.create({ id, name: 'Ann', email: 'ann@example.org' })
    if (id % 50 === 49) second += 1
  }
  await client.products.create({ id: 'pro', name: 'Pro' })
  await client.invoices.create(plainInvoice)
  const first = await load()
  const now = String(Date.parse('2026-01-20') / 1_000)
  const asked = await python(commands, [...askSql, now, 'UTC'], { BILLING_APP_ID: demo.app_id })
  const answers: object[][] = JSON.parse(asked)
  if (!isDeepStrictEqual(answers[1], [recurringOfPlainInvoice]))
    throw new Error(`The SQL answers without discounts and prices: ${JSON.stringify(answers[1])}`)
  await client.customers.update(1, { name: 'Bea' })
  await client.customers.update(2, { email: null })
  await client.customers.anonymise(3)
  await client.customers.create({ id: 'new', name: 'Cem' })
  const next = await load()
  for (const name of readdirSync(join(folder, 'dlt'), { recursive: true, withFileTypes: true }))
    if (name.isFile() && readFileSync(join(name.parentPath, name.name)).includes('ann@example.org'))
      throw new Error(`dlt keeps what it has loaded in ${name.name}`)
  const other = await createApplication('Other')
  await clientOf(other).customers.create({ id: 1, name: 'Of another application' })
  await load(other)
  telemetry.close()
  console.log(`dlt read ${first} pages, and ${next} after four changes`)
  if (first < CUSTOMERS / 100 || next > MAX_PAGES)
    throw new Error('The number of pages is not what the guide says')
}

/** The times and time zones at which figures are compared: within, at the end and at the start of a month, and after all. */
const seenAt = [
  ['2026-05-20T12:00:00Z', 'UTC'],
  ['2026-03-01T06:00:00Z', 'UTC'],
  ['2025-12-31T23:00:00Z', 'Europe/Berlin'],
  ['2026-02-01T04:59:59Z', 'America/New_York'],
  // In the days of grace of the histories on paper.
  ['2026-05-02T00:00:00Z', 'UTC'],
  ['2026-05-02T00:00:00Z', 'Australia/Sydney'],
  ['2027-10-02T00:00:00Z', 'Asia/Kolkata'],
] as const

const checkFigures = async (commands: string, { baseUrl, demo }: LocalService): Promise<void> => {
  const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  await createSeed(business(BUSINESS), { baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  second += 1
  const env = { BILLING_URL: baseUrl, BILLING_APP_ID: demo.app_id, BILLING_API_KEY: demo.api_key }
  await python(commands, ['sync.py'], env)
  const invoices = await Array.fromAsync(
    client.invoices.all({ include: ['line_items', 'price', 'discounts'] }),
  )
  for (const [date, timeZone] of seenAt) {
    const now = Date.parse(date) / 1_000
    const answers = JSON.parse(await python(commands, [...askSql, String(now), timeZone], env))
    const figures = compareFigures(answers, [invoices, now, timeZone])
    console.log(
      `SQL and functions agree in ${figures} figures of ${invoices.length} invoices on ${date}, ${timeZone}`,
    )
  }
}

/** Writes the code of a document into the folder. */
const writeBlock = (document: string, language: string, file: string): void => {
  const [code = ''] = pastedBlocks(readFileSync(document, 'utf8'), [language])
  writeFileSync(join(folder, file), code)
}

/** Runs a check on a local service of its own, from an empty copy. */
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
  await onService((service) => check(commands, service))
  await onService((service) => checkFigures(commands, service))
} else reportMissingTool('Python 3 and its packages are needed for the check of dlt')
