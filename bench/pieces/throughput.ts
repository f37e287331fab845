import { serveBare } from '../bare-server.ts'
import { customerBody } from '../bodies.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'
import { type LoadRequest, load, type Served, serve } from '../traffic.ts'
import { recordCustomers } from '../workload.ts'
import { newWorld } from '../world.ts'

const body = JSON.stringify(customerBody('[<id>]'))
const requests: Readonly<Record<string, LoadRequest>> = {
  retrieve: { method: 'GET', path: '/api/customers/customer-1' },
  create: { method: 'POST', path: '/api/customers', body },
}

const perSecond = (served: Served, request: LoadRequest, seconds: number) => async () => {
  const { perSecond: rate, errors } = await load(served, { requests: [request], seconds })
  if (errors > 0) throw new Error(`${errors} requests failed`)
  return rate
}

/** P13: throughput of the local service over that of the bare SDK call behind a bare server, taken in turn. */
export const throughput: Piece = {
  ids: ['P13'],
  run: async ({ progress, long }) => {
    const world = await newWorld()
    await recordCustomers(world, 1)
    const bare = await serveBare(world)
    const our = await serve({ side: 'ours', endpoint: world.endpoint, table: world.table }, world.env)
    // The service has an application of its own, in which the customer must be recorded too.
    await load(our, {
      requests: [{ ...requests.create!, body: body.replace('[<id>]', 'customer-1') }],
      seconds: 1,
    })
    const rows = []
    try {
      for (const [name, request] of Object.entries(requests)) {
        const seconds = long ? 5 : 2
        const rates = await interleaved(
          { ours: perSecond(our, request, seconds), bare: perSecond(bare, request, seconds) },
          { rounds: 5, progress: (text) => progress(`${name}: ${text}`) },
        )
        rows.push({
          id: 'P13',
          what: `throughput: ${name}, 32 connections`,
          unit: '1/s',
          ours: rates.ours,
          baseline: rates.bare,
          goal: { least: 0.6 },
          stretch: { least: 0.8 },
        })
      }
    } finally {
      our.end()
      bare.end()
    }
    return rows
  },
}
