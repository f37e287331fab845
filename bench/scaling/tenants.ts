import { random } from './random.ts'

/** Tenants of very unequal size: the n-th largest sends 1/n of what the largest sends (Zipf's law). */
const sharesOf = (tenants: number): number[] => {
  const weights = Array.from({ length: tenants }, (_, index) => 1 / (index + 1))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / all)
}

/** The share of all requests that the largest tenant sends. */
export const largestShare = (tenants: number): number => sharesOf(tenants)[0]!

const picker = (tenants: number): (() => number) => {
  let sum = 0
  const ends = sharesOf(tenants).map((share) => {
    sum += share
    return sum
  })
  return () => {
    const at = random()
    let [low, high] = [0, tenants - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! < at) low = middle + 1
      else high = middle
    }
    return low
  }
}

export interface Sandbox {
  readonly tenants: number
  /** Requests that one process of a function answers in a second. */
  readonly perSecond: number
  readonly seconds: number
  /** As `shared/store/authorisation.ts` has them. */
  readonly keptSeconds: number
  readonly entries: number
}

/** The part of requests for which a process must look up the API key. */
export const lookUps = ({ tenants, perSecond, seconds, keptSeconds, entries }: Sandbox): number => {
  const pick = picker(tenants)
  const known = new Map<number, number>()
  let missed = 0
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const now = number / perSecond
    const tenant = pick()
    if ((known.get(tenant) ?? -1) > now) continue
    missed += 1
    if (known.size >= entries) known.clear()
    known.set(tenant, now + keptSeconds)
  }
  return missed / (perSecond * seconds)
}
