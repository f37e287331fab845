import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createClient } from '../../client/index.ts'
import { setClock } from '../../shared/clock.ts'
import { setLogSink } from '../../shared/log.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { missingTool } from '../support/missing-tool.ts'
import { pythonPackages } from '../support/python-packages.ts'

/** Lets dlt load an application into DuckDB by the file of docs/sync.md, changes four entities, and lets it load again. */

const CUSTOMERS = 2_000
const MOST_PAGES = 10
const folder = resolve('dist/sync')

const readCopy = `
import duckdb, json
rows = duckdb.connect("billing.duckdb", read_only=True).sql("select id, name, email from recorded.customers order by id")
print(json.dumps(rows.fetchall()))`

/** Runs Python in an environment of its own. Returns what it writes. Throws Error if it fails. */
const python = async (commands: string, args: readonly string[], env: object): Promise<string> => {
  const own = {
    DLT_DATA_DIR: join(folder, 'dlt'),
    RUNTIME__DLTHUB_TELEMETRY: 'false',
    LOAD__DELETE_COMPLETED_JOBS: 'true',
  }
  const child = spawn(join(commands, 'python'), args, {
    cwd: folder,
    env: { ...process.env, ...own, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let written = ''
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`python ${args.join(' ')} ended with ${code}: ${written}`)
  return written
}

let second = Math.floor(Date.now() / 1_000)
let pages = 0

const check = async (commands: string, { baseUrl, demo }: LocalService): Promise<void> => {
  const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  const env = { BILLING_URL: baseUrl, BILLING_APP_ID: demo.app_id, BILLING_API_KEY: demo.api_key }
  /** Loads, and returns the number of pages that dlt has read for a copy that equals the list. */
  const load = async (): Promise<number> => {
    second += 1
    pages = 0
    await python(commands, ['sync.py'], env)
    const read = pages
    const copy = JSON.parse(await python(commands, ['-c', readCopy], env))
    const customers = await Array.fromAsync(client.customers.all())
    const list = customers.map(({ id, name, email }) => [id, name, email])
    if (!isDeepStrictEqual(copy, list.sort())) throw new Error('The copy does not equal the list')
    return read
  }
  for (let done = 0; done < CUSTOMERS; done += 50) {
    const bodies = Array.from({ length: 50 }, (_, number) => ({
      id: done + number,
      name: 'Ann',
      email: 'ann@example.org',
    }))
    await client.customers.createAll(bodies)
    second += 1
  }
  await client.products.create({ id: 'pro', name: 'Pro' })
  const first = await load()
  await client.customers.update(1, { name: 'Bea' })
  await client.customers.update(2, { email: null })
  await client.customers.anonymise(3)
  await client.customers.create({ id: 'new', name: 'Cem' })
  const next = await load()
  for (const name of readdirSync(join(folder, 'dlt'), { recursive: true, withFileTypes: true }))
    if (name.isFile() && readFileSync(join(name.parentPath, name.name)).includes('ann@example.org'))
      throw new Error(`dlt keeps what it has loaded in ${name.name}`)
  console.log(`dlt read ${first} pages, and ${next} after four changes`)
  if (first < CUSTOMERS / 100 || next > MOST_PAGES)
    throw new Error('These are not the pages that the guide says')
}

const commands = pythonPackages()
if (commands) {
  setClock(() => second * 1_000)
  setLogSink((line) => {
    if (/"route":"\w+\.list"/.test(line)) pages += 1
  })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const [, code = ''] = /```python\n([\s\S]*?)```/.exec(readFileSync('docs/sync.md', 'utf8')) ?? []
  writeFileSync(join(folder, 'sync.py'), code)
  const service = await startService(localSettings({ PORT: '0' }, ['--memory']))
  try {
    await check(commands, service)
  } finally {
    await service.stop()
  }
} else missingTool('Python 3 and its packages are needed for the check of dlt')
