import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { customerBody } from '../bodies.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import { load, serve } from '../traffic.ts'
import { newWorld } from '../world.ts'

const run = promisify(execFile)
const ROWS = { short: 10_000, long: 40_000 }
const SECONDS = { short: 4, long: 15 }

/** A file of customers with new ids. */
const write = (folder: string, rows: number): string => {
  const [file, prefix] = [join(folder, `${randomUUID()}.ndjson`), randomUUID()]
  const lines = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({ type: 'customer', data: customerBody(`${prefix}-${index}`) }),
  )
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

/** The rows a second of the import command, from the first row that it sends to the last. */
const rate = async (file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const { stdout } = await run(process.execPath, ['bin/import.ts', file, ...args], { env })
  const { rows, created, seconds } = JSON.parse(stdout)
  if (created !== rows) throw new Error(`${rows - created} rows were not created`)
  return rows / seconds
}

/** P15: the import command over HTTP and on the table, against the creates that autocannon gets from the service. */
export const imports: Piece = {
  ids: ['P15'],
  run: async ({ progress, long }) => {
    const size = long ? 'long' : 'short'
    const world = await newWorld()
    const served = await serve({ side: 'ours', endpoint: world.endpoint, table: world.table }, world.env)
    const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
    const creates = {
      method: 'POST',
      path: '/api/customers',
      body: JSON.stringify(customerBody('[<id>]')),
    } as const
    const { url, appId, apiKey } = served
    const overHttp = ['--url', url, '--app-id', appId, '--api-key', apiKey]
    const local = { DYNAMODB_ENDPOINT: world.endpoint, TABLE_NAME: world.table }
    try {
      const rates = await interleaved(
        {
          autocannon: async () =>
            (await load(served, { requests: [creates], seconds: SECONDS[size] })).perSecond,
          http: () => rate(write(folder, ROWS[size]), overHttp, {}),
          table: () => rate(write(folder, ROWS[size]), ['--app', world.credentials.app_id], local),
        },
        { rounds: 5, progress },
      )
      const row = { id: 'P15', unit: '1/s', baseline: rates.autocannon }
      return [
        {
          ...row,
          what: 'import over HTTP, rows; creates by autocannon',
          ours: rates.http,
          goal: { least: 0.9 },
        },
        {
          ...row,
          what: 'import on the table, rows; the same baseline',
          ours: rates.table,
          goal: { least: 1.5 },
        },
      ]
    } finally {
      served.end()
      rmSync(folder, { recursive: true })
    }
  },
}
