import { randomUUID } from 'node:crypto'
import { importRate } from '../import-command.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import { serveOurs } from '../servers.ts'
import { load, requests } from '../traffic.ts'
import { newWorld } from '../world.ts'

/** P15: the import command over HTTP and on the table, against the creates that autocannon gets from the service. */
export const imports: Piece = {
  ids: ['P15'],
  run: async ({ progress, long }) => {
    const [rows, seconds] = long ? [40_000, 15] : [10_000, 4]
    const world = await newWorld()
    const served = await serveOurs(world)
    const { url, appId, apiKey } = served
    const overHttp = ['--url', url, '--app-id', appId, '--api-key', apiKey]
    const onTable = ['--app', world.credentials.app_id]
    const local = { DYNAMODB_ENDPOINT: world.endpoint, TABLE_NAME: world.table }
    const rate = (args: readonly string[], env: NodeJS.ProcessEnv) =>
      importRate({ rows, prefix: randomUUID(), args, env })
    try {
      const rates = await interleaved(
        {
          autocannon: async () => (await load(served, { requests: [requests.create], seconds })).perSecond,
          http: () => rate(overHttp, {}),
          table: () => rate(onTable, local),
        },
        { rounds: 5, progress },
      )
      const row = { unit: '1/s', baseline: rates.autocannon }
      const http = { what: 'import over HTTP, rows; creates by autocannon', goal: { least: 0.9 } }
      const table = { what: 'import on the table, rows; the same baseline', goal: { least: 1.5 } }
      return [
        { ...row, ...http, ours: rates.http },
        { ...row, ...table, ours: rates.table },
      ]
    } finally {
      served.end()
    }
  },
}
