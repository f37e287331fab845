import { createHash } from 'node:crypto'
import { randomFrom } from '../../tools/business/random.ts'

/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 up to, but not including, `below`. */
  number(below: number): number
  choose<T>(...values: readonly T[]): T
  /** They do not depend on what other tasks choose meanwhile. */
  forTask(name: string): Random
}

export const seeded = (seed: string): Random => {
  const random = randomFrom(createHash('sha256').update(seed).digest().readUInt32BE())
  const number = (below: number): number => random() * below
  return {
    number,
    choose: (...values) => values[Math.floor(number(values.length))]!,
    forTask: (name) => seeded(`${seed}/${name}`),
  }
}
