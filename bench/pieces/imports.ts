import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createFixture, customerBody } from '../fixture.ts'
import { sampleMedians } from '../interleave.ts'
import type { Piece } from '../rows.ts'
import { loadRequests, type RunningServer, responsesPerSecond, serveOurs } from '../traffic.ts'

const ROWS = 10_000

/** In rows per second, from the first row that it sends to the last. */
const importRate = async ({ url, appId, apiKey }: RunningServer, folder: string): Promise<number> => {
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

/** The import command, and the creates of autocannon on the same service. */
export const imports: Piece = async () => {
  const server = await serveOurs(await createFixture())
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
  try {
    const samples = {
      ours: () => importRate(server, folder),
      baseline: () => responsesPerSecond(server, loadRequests.create, 4),
    }
    return [
      { label: 'import, rows; creates by autocannon', unit: '1/s', ...(await sampleMedians(samples, 5)) },
    ]
  } finally {
    server.end()
    rmSync(folder, { recursive: true })
  }
}
