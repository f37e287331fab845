import { compared } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import type { Measurement } from '../rows.ts'
import { withServers } from '../servers.ts'
import { load, requests, type Served } from '../traffic.ts'
import { newWorld } from '../world.ts'

/** P13: throughput of the local service over that of the bare SDK call behind a bare server, taken in turn. */
export const throughput: Piece = {
  ids: ['P13'],
  run: async ({ progress, long }) =>
    withServers(await newWorld(), async (ours, bare) => {
      const rows: Measurement[] = []
      for (const name of ['retrieve', 'create'] as const) {
        const perSecond = (served: Served) => async () => {
          const result = await load(served, { requests: [requests[name]], seconds: long ? 5 : 2 })
          if (result.errors > 0) throw new Error(`${result.errors} requests failed`)
          return result.perSecond
        }
        const what = `throughput: ${name}, 32 connections`
        const row = { what, unit: '1/s', goal: { least: 0.6 }, stretch: { least: 0.8 } }
        const samples = { ours: perSecond(ours), baseline: perSecond(bare) }
        rows.push(await compared(row, samples, { rounds: 5, progress }))
      }
      return rows
    }),
}
