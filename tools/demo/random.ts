import { randomFrom } from '../testing/scenario/random.ts'

/** Returns numbers in [0, 1), one at each call. */
export type Random = () => number

/** The seed of `shuffled`, which is arbitrary. */
const SHUFFLE_SEED = 31

/** Returns an integer from `least` to `most`. */
export const integerBetween = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

/** Returns a list in a random order, which is always the same. */
export const shuffled = <Value>(values: readonly Value[]): Value[] => {
  const random = randomFrom(SHUFFLE_SEED)
  return values
    .map((value) => ({ value, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
}
