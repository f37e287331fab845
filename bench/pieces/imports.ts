import { randomUUID } from 'node:crypto'
import { importRate } from '../import-command.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import { serveOurs } from '../servers.ts'
import { load, requests } from '../traffic.ts'
import { newWorld } from '../world.ts'

/** P15: the import command, against the creates that autocannon gets from the service. */
export const imports: Piece = {
  ids: ['P15'],
  run: async ({ progress, long }) => {
    const [rows, seconds] = long ? [40_000, 15] : [10_000, 4]
    const world = await newWorld()
    const served = await serveOurs(world)
    const { url, appId, apiKey } = served
    const overHttp = ['--url', url, '--app-id', appId, '--api-key', apiKey]
    try {
      const rates = await interleaved(
        {
          autocannon: async () => (await load(served, { requests: [requests.create], seconds })).perSecond,
          http: () => importRate({ rows, prefix: randomUUID(), args: overHttp, env: {} }),
        },
        { rounds: 5, progress },
      )
      const row = { unit: '1/s', baseline: rates.autocannon }
      const http = { what: 'import, rows; creates by autocannon', goal: { least: 0.9 } }
      return [{ ...row, ...http, ours: rates.http }]
    } finally {
      served.end()
    }
  },
}
