/** Pseudo-random numbers in [0, 1): the same sequence for the same `seed` (mulberry32). */
export const randomFrom = (seed: number) => () => {
  seed += 0x6d2b79f5
  const once = Math.imul(seed ^ (seed >>> 15), seed | 1)
  const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61))
  return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
}
