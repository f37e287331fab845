import { serveBare } from '../bare-server.ts'
import { customerBody } from '../bodies.ts'
import { median } from '../interleave.ts'
import { pacedLoad } from '../paced.ts'
import type { Piece } from '../piece.ts'
import type { Measurement } from '../rows.ts'
import { type LoadRequest, type LoadResult, load, type Served, serve } from '../traffic.ts'
import { recordCustomers } from '../workload.ts'
import { newWorld } from '../world.ts'

const retrieve: LoadRequest = { method: 'GET', path: '/api/customers/customer-1' }
const list: LoadRequest = { method: 'GET', path: '/api/customers?limit=20' }
const create: LoadRequest = {
  method: 'POST',
  path: '/api/customers',
  body: JSON.stringify(customerBody('[<id>]')),
}
const mixed = [retrieve, retrieve, create, retrieve, list]

/** Samples the memory of a server until it is stopped. */
const watchMemory = (served: Served, millis: number) => {
  const samples: number[] = []
  const timer = setInterval(() => served.memory().then((bytes) => samples.push(bytes)), millis)
  return () => {
    clearInterval(timer)
    return samples
  }
}

/** Returns a percentile. */
const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * (percent / 100))]!

interface Outcome {
  readonly ours: LoadResult
  readonly bare: LoadResult
  /** Samples of our server's memory, in bytes. */
  readonly samples: readonly number[]
}

/** Returns the measurements of a load. */
const measured = (span: string, { ours, bare, samples }: Outcome): Measurement[] => {
  const { errors, times } = ours
  const half = samples.slice(samples.length / 2)
  const [third, fourth] = [half.slice(0, half.length / 2), half.slice(half.length / 2)]
  return [
    {
      id: 'P14',
      what: `errors in ${times.length.toLocaleString('en')} requests, ${span}`,
      unit: '',
      ours: errors,
      goal: { most: 0 },
    },
    {
      id: 'P14',
      what: 'p99 over p50 of the answers',
      unit: 'ms',
      ours: percentile(times, 99),
      baseline: median(times),
      goal: { most: 5 },
    },
    {
      id: 'P14',
      what: 'the same of a bare server at half of what it can do',
      unit: 'ms',
      ours: percentile(bare.times, 99),
      baseline: median(bare.times),
    },
    {
      id: 'P14',
      what: 'memory of the last quarter over the third',
      unit: 'MB',
      ours: median(fourth) / 1e6,
      baseline: median(third) / 1e6,
      goal: { most: 1.05 },
    },
  ]
}

/**
 * Returns the throughput of a server once it is warm. For about twenty seconds, the compilers of server and load generator
 * occupy the second core, and one answer in a hundred waits for them.
 */
const warmed = async (served: Served): Promise<LoadResult> => {
  await pacedLoad(served, { requests: mixed, seconds: 10, rate: 500 })
  await load(served, { requests: mixed, seconds: 10 })
  return load(served, { requests: mixed, seconds: 5 })
}

/** P14: mixed traffic at half of the service's maximum throughput. */
export const endurance: Piece = {
  ids: ['P14'],
  run: async ({ progress, long }) => {
    const seconds = long ? 600 : 20
    const world = await newWorld()
    await recordCustomers(world, 1)
    const bareServer = await serveBare(world)
    const our = await serve({ side: 'ours', endpoint: world.endpoint, table: world.table }, world.env)
    try {
      const first = { ...create, body: JSON.stringify(customerBody('customer-1')) }
      await load(our, { requests: [first], seconds: 1 })
      const { perSecond } = await warmed(our)
      const rate = Math.round(perSecond / 2)
      progress(`${seconds} s of mixed traffic at ${rate} requests a second`)
      const stop = watchMemory(our, long ? 2_000 : 250)
      const ours = await pacedLoad(our, { requests: mixed, seconds, rate })
      const samples = stop()
      const possible = (await warmed(bareServer)).perSecond
      const bare = await pacedLoad(bareServer, {
        requests: mixed,
        seconds: long ? 60 : 20,
        rate: Math.round(possible / 2),
      })
      return measured(`${seconds} s of mixed traffic, ${rate}/s`, { ours, bare, samples })
    } finally {
      our.end()
      bareServer.end()
    }
  },
}
