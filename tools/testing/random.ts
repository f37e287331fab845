/** Returns pseudo-random numbers in [0, 1): the same sequence for the same `seed` (mulberry32). */
export const randomFrom = (seed: number) => () => {
  seed += 0x6d2b79f5
  const mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
  const again = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
  return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32
}
