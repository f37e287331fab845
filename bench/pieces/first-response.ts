import { type ColdTimes, coldProcess } from '../cold.ts'
import { createFixture } from '../fixture.ts'
import { median, takeSamples } from '../interleave.ts'
import type { Piece, Row } from '../rows.ts'
import { startTlsProxy } from '../tls.ts'
import { pairOf, recordCustomers } from '../workload.ts'

const ROUNDS = 11

/** From load to first response in a cold process, over TLS. Our side also looks up the API key. */
export const firstResponse: Piece = async () => {
  const fixture = await createFixture()
  await recordCustomers(fixture, 1)
  const { ours, bare } = await pairOf(fixture, 'retrieve')
  const tls = await startTlsProxy(fixture.endpoint)
  const env = { ...fixture.env, ...tls.env }
  try {
    const samples = { ours: () => coldProcess(ours, env), baseline: () => coldProcess(bare, env) }
    const taken = await takeSamples(samples, ROUNDS)
    const row = (label: string, metric: (cold: ColdTimes) => number): Row => ({
      label: `${label}: retrieve`,
      unit: 'ms',
      ours: median(taken.ours.map(metric)),
      baseline: median(taken.baseline.map(metric)),
    })
    return [
      row('first response', ({ first }) => first),
      row('load, warm-up, first response', ({ load, first }) => load + first),
    ]
  } finally {
    tls.close()
  }
}
