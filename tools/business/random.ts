/** In [0, 1). */
export type Random = () => number

/** The same sequence for the same `seed` (mulberry32). */
export const randomFrom =
  (seed: number): Random =>
  () => {
    seed += 0x6d2b79f5
    const once = Math.imul(seed ^ (seed >>> 15), seed | 1)
    const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61))
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
  }

const SHUFFLE_SEED = 31

export const integerBetween = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

/** In a random order, which is always the same. */
export const shuffled = <Value>(values: readonly Value[]): Value[] => {
  const random = randomFrom(SHUFFLE_SEED)
  return values
    .map((value) => ({ value, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
}
