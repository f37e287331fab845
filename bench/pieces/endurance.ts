import { median } from '../interleave.ts'
import { pacedLoad } from '../paced.ts'
import type { Piece } from '../piece.ts'
import type { Measurement } from '../rows.ts'
import { withServers } from '../servers.ts'
import { type LoadResult, load, requests, type Served } from '../traffic.ts'
import { newWorld } from '../world.ts'

const { retrieve, create, list } = requests
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

/** The row that compares the 99th percentile of latencies with the median. */
const tail = (what: string, { times }: LoadResult): Measurement => {
  const p99 = times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * 0.99)]!
  return { what, unit: 'ms', ours: p99, baseline: median(times) }
}

/** The row that compares samples of memory in bytes, the last quarter with the third. */
const growthOf = (samples: readonly number[]): Measurement => {
  const half = samples.slice(samples.length / 2)
  const [third, fourth] = [half.slice(0, half.length / 2), half.slice(half.length / 2)]
  const what = 'memory of the last quarter over the third'
  return { what, unit: 'MB', ours: median(fourth) / 1e6, baseline: median(third) / 1e6, goal: { most: 1.05 } }
}

/**
 * Returns half of the throughput of a server once it is warm. For about twenty seconds, the compilers of server and load
 * generator occupy the second core, and one answer in a hundred waits for them.
 */
const halfOf = async (served: Served): Promise<number> => {
  await pacedLoad(served, { requests: mixed, seconds: 10, rate: 500 })
  await load(served, { requests: mixed, seconds: 10 })
  return Math.round((await load(served, { requests: mixed, seconds: 5 })).perSecond / 2)
}

/** P14: mixed traffic at half of the service's maximum throughput. */
export const endurance: Piece = {
  ids: ['P14'],
  run: async ({ progress, long }) =>
    withServers(await newWorld(), async (our, bareServer) => {
      const seconds = long ? 600 : 20
      const rate = await halfOf(our)
      progress(`${seconds} s of mixed traffic at ${rate} requests per second`)
      const stop = watchMemory(our, long ? 2_000 : 250)
      const ours = await pacedLoad(our, { requests: mixed, seconds, rate })
      const samples = stop()
      const bareRate = await halfOf(bareServer)
      const bare = await pacedLoad(bareServer, { requests: mixed, seconds: long ? 60 : 20, rate: bareRate })
      const count = ours.times.length.toLocaleString('en')
      const span = `${seconds} s of mixed traffic, ${rate}/s`
      return [
        { what: `errors in ${count} requests, ${span}`, unit: '', ours: ours.errors, goal: { most: 0 } },
        { ...tail('p99 over p50 of the answers', ours), goal: { most: 5 } },
        tail('the same of a bare server at half of what it can do', bare),
        growthOf(samples),
      ]
    }),
}
