import { type Circumstances, type Cold, coldProcess } from '../cold.ts'
import { inTurn, median } from '../interleave.ts'
import type { Piece, Setting } from '../piece.ts'
import { assumed, prices } from '../prices.ts'
import { openQuota, type Quota } from '../quota.ts'
import type { Measurement } from '../rows.ts'
import { startTlsProxy } from '../tls.ts'
import { type Name, type Pair, pairOf, recordCustomers } from '../workload.ts'
import { newWorld } from '../world.ts'

/** Memory sizes in MB. A function of 1,769 MB gets one core from Lambda, a smaller one a proportional share. */
const sizes = [256, 512, 1_024, 1_769]
const shareOf = (size: number): number => size / 1_769

/** The first requests, and the protocol to the engine. DynamoDB itself speaks only TLS. */
const firsts: readonly { readonly request: Name; readonly wire: 'HTTP' | 'TLS' }[] = [
  { request: 'retrieve', wire: 'HTTP' },
  { request: 'retrieve', wire: 'TLS' },
  { request: 'create', wire: 'TLS' },
]

/** The size at which a retrieve has goals: for first answer and whole, ratios to the bare client; for its start, ms. */
const JUDGED = 512
const goals = [{ most: 0.1 }, { most: 0.45 }, { most: 100 }]

const load = (cold: Cold): number => cold.load
const first = (cold: Cold): number => cold.first
const whole = (cold: Cold): number => cold.load + cold.first

/** A comparison of both sides under the same circumstances. */
interface Case extends Circumstances {
  readonly name: string
  readonly sides: Pair
}

/** Measures both sides of all cases in turn. Returns a function that makes a row of a case's medians. */
const compare = async (cases: readonly Case[], { long, progress }: Setting) => {
  const samples = cases.flatMap(({ name, sides, ...circumstances }) =>
    (['ours', 'bare'] as const).map(
      (side) => [`${side} ${name}`, () => coldProcess(sides[side], circumstances)] as const,
    ),
  )
  const taken = await inTurn(Object.fromEntries(samples), { rounds: long ? 31 : 11, progress })
  const medianOf = (sample: string, metric: (cold: Cold) => number) => median(taken[sample]!.map(metric))
  return ({ name }: Case, what: string, metric: (cold: Cold) => number): Measurement => ({
    what: `${what}${name}`,
    unit: 'ms',
    ours: medianOf(`ours ${name}`, metric),
    baseline: medianOf(`bare ${name}`, metric),
  })
}

interface AtShares extends Setting {
  readonly quota: Quota
  readonly sidesOf: (request: Name) => Promise<Pair>
  readonly envs: Readonly<Record<'HTTP' | 'TLS', NodeJS.ProcessEnv>>
}

const nameOf = (size: number): string => `${size.toLocaleString('en')} MB`

const atShares = async ({ quota, sidesOf, envs, ...setting }: AtShares): Promise<Measurement[]> => {
  const cases: (Case & { readonly judged: boolean })[] = []
  for (const { request, wire } of firsts) {
    const sides = await sidesOf(request)
    for (const size of sizes) {
      const name = `${request}, ${nameOf(size)}, ${wire}`
      const judged = size === JUDGED && request === 'retrieve'
      cases.push({ name, sides, quota, share: shareOf(size), env: envs[wire], judged })
    }
  }
  const row = await compare(cases, setting)
  return cases.flatMap((each) => {
    const answers = [row(each, 'first answer: ', first), row(each, 'load, warm-up, first answer: ', whole)]
    if (!each.judged) return answers
    const { baseline: _, ...start } = row(each, 'load and warm-up with one core: ', load)
    return [...answers, start].map((measured, index) => ({ ...measured, goal: goals[index]! }))
  })
}

/** Measures a warm answer at each memory size, and computes Lambda's price for a million of them. */
const warmPrices = async ({ quota, sidesOf, envs, long, progress }: AtShares): Promise<Measurement[]> => {
  const { ours } = await sidesOf('retrieve')
  const samples = sizes.map((size) => {
    const circumstances = { quota, share: shareOf(size), env: envs.TLS, warmAnswers: 40 }
    return [nameOf(size), () => coldProcess(ours, circumstances)] as const
  })
  const taken = await inTurn(Object.fromEntries(samples), { rounds: long ? 15 : 5, progress })
  return sizes.flatMap((size) => {
    const name = nameOf(size)
    const millis = median(taken[name]!.map(({ warm }) => warm))
    const gigabyteSeconds = ((millis + assumed.callMillis) * 1_000 * size) / 1_024
    const dollars = prices.invocations + gigabyteSeconds * prices.gigabyteSecond
    const what = `Lambda for a million of them, ${assumed.callMillis} ms of DynamoDB in each: ${name}`
    return [
      { what: `warm answer: retrieve, ${name}, TLS`, unit: 'ms', ours: millis },
      { what, unit: '$', ours: dollars },
    ]
  })
}

const LEFT_OUT =
  'at a share of a core: left out, as no control group can be made here (Linux and mostly root)'

/** P4: from load to first answer in a cold process. Our side also looks up the API key. */
export const firstAnswer: Piece = {
  ids: ['P4'],
  run: async (setting) => {
    const world = await newWorld()
    await recordCustomers(world, 1)
    const sidesOf = (request: Name) => pairOf(world, request)
    const only = { name: '', sides: await sidesOf('retrieve'), share: 1, env: world.env }
    const row = (await compare([only], setting))(only, 'load to first answer, cold process', whole)
    const rows = [{ ...row, goal: { most: 1.15 }, stretch: { most: 1 } }]
    const quota = openQuota()
    if (!quota) return [...rows, { what: LEFT_OUT, unit: 'ms' }]
    const tls = await startTlsProxy(world.endpoint)
    const envs = { HTTP: world.env, TLS: { ...world.env, ...tls.env } }
    try {
      const shares = { ...setting, quota, sidesOf, envs }
      return [...rows, ...(await atShares(shares)), ...(await warmPrices(shares))]
    } finally {
      tls.close()
      quota.close()
    }
  },
}
