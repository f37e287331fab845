import { interleaved } from '../interleave.ts'
import type { Piece, Row } from '../rows.ts'
import { load, requests, withServers } from '../traffic.ts'
import { newWorld } from '../world.ts'

const ROUNDS = 5
const SECONDS = 2

/** Measures the throughput of the local service, and that of the bare SDK call behind a bare server. */
export const throughput: Piece = async () =>
  withServers(await newWorld(), async (ours, bare) => {
    const rows: Row[] = []
    for (const name of ['retrieve', 'create'] as const) {
      const samples = {
        ours: () => load(ours, requests[name], SECONDS),
        baseline: () => load(bare, requests[name], SECONDS),
      }
      const what = `throughput: ${name}, 32 connections`
      rows.push({ what, unit: '1/s', ...(await interleaved(samples, ROUNDS)) })
    }
    return rows
  })
