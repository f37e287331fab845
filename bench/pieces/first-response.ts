import { type Cold, coldProcess } from '../cold.ts'
import { createFixture } from '../fixture.ts'
import { inTurn, median } from '../interleave.ts'
import { openQuota } from '../quota.ts'
import type { Piece, Row } from '../rows.ts'
import { startTlsProxy } from '../tls.ts'
import { pairOf, recordCustomers } from '../workload.ts'

const ROUNDS = 11
/** Memory sizes in MB. A function of 1,769 MB gets one core from Lambda, a smaller one a proportional share. */
const sizes = [512, 1_024]

/**
 * Measures the time from load to first response in a cold process, over TLS, at the processor share that Lambda gives to
 * each memory size. Our side also looks up the API key. Throws Error where no control group can be made.
 */
export const firstResponse: Piece = async () => {
  const quota = openQuota()
  if (!quota) throw new Error('first-response needs control groups: Linux, and mostly root')
  const fixture = await createFixture()
  await recordCustomers(fixture, 1)
  const pair = await pairOf(fixture, 'retrieve')
  const tls = await startTlsProxy(fixture.endpoint)
  const env = { ...fixture.env, ...tls.env }
  const samples = sizes.flatMap((size) =>
    (['ours', 'bare'] as const).map(
      (side) =>
        [`${side} ${size}`, () => coldProcess(pair[side], { quota, share: size / 1_769, env })] as const,
    ),
  )
  try {
    const taken = await inTurn(Object.fromEntries(samples), ROUNDS)
    const row = (what: string, size: number, metric: (cold: Cold) => number): Row => ({
      what: `${what}: retrieve, ${size.toLocaleString('en')} MB`,
      unit: 'ms',
      ours: median(taken[`ours ${size}`]!.map(metric)),
      baseline: median(taken[`bare ${size}`]!.map(metric)),
    })
    return sizes.flatMap((size) => [
      row('first response', size, ({ first }) => first),
      row('load, warm-up, first response', size, ({ load, first }) => load + first),
    ])
  } finally {
    tls.close()
    quota.close()
  }
}
