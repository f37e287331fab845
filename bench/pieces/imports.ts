import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../rows.ts'
import { load, requests, type Served, serveOurs } from '../traffic.ts'
import { customerBody, newWorld } from '../world.ts'

const ROWS = 10_000

/** Imports new customers with the command. Returns its rows per second, from the first row that it sends to the last. */
const importRate = async ({ url, appId, apiKey }: Served, folder: string): Promise<number> => {
  const file = join(folder, 'customers.ndjson')
  const prefix = randomUUID()
  const line = (index: number) =>
    `${JSON.stringify({ type: 'customer', data: customerBody(`${prefix}-${index}`) })}\n`
  writeFileSync(file, Array.from({ length: ROWS }, (_, index) => line(index)).join(''))
  const args = ['bin/import.ts', file, '--url', url, '--app-id', appId]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { BILLING_API_KEY: apiKey } })
  const { created, seconds } = JSON.parse(stdout)
  if (created !== ROWS) throw new Error(`${ROWS - created} of ${ROWS} rows were not created`)
  return ROWS / seconds
}

/** Measures the import command, and the creates that autocannon gets from the same service. */
export const imports: Piece = async () => {
  const served = await serveOurs(await newWorld())
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
  try {
    const samples = {
      ours: () => importRate(served, folder),
      baseline: () => load(served, requests.create, 4),
    }
    return [{ what: 'import, rows; creates by autocannon', unit: '1/s', ...(await interleaved(samples, 5)) }]
  } finally {
    served.end()
    rmSync(folder, { recursive: true })
  }
}
