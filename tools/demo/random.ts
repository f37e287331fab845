import { randomFrom } from '../testing/scenario/random.ts'

/** In [0, 1). */
export type Random = () => number

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
