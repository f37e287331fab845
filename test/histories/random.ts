import { createHash } from 'node:crypto'

/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 up to, but not including, `below`. */
  number(below: number): number
  choose<T>(...values: readonly T[]): T
  /** They do not depend on what other tasks choose meanwhile. */
  forTask(name: string): Random
}

/** A linear congruential generator, of which only the high bits are used. */
export const seeded = (seed: string): Random => {
  let state = createHash('sha256').update(seed).digest().readBigUInt64BE()
  const number = (below: number): number => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
    return (Number(state >> 32n) / 2 ** 32) * below
  }
  return {
    number,
    choose: (...values) => values[Math.floor(number(values.length))]!,
    forTask: (name) => seeded(`${seed}/${name}`),
  }
}
