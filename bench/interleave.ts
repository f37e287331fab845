export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Takes each sample once per round, in reverse order in every second round, so that a temporary slowdown
 * affects all samples equally. Drops the first round, which is a warm-up.
 */
export const takeSamples = async <Name extends string, Value>(
  samples: Readonly<Record<Name, () => Promise<Value>>>,
  rounds: number,
): Promise<Record<Name, Value[]>> => {
  const names = Object.keys(samples) as Name[]
  const valuesByName = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Value[]>
  for (let round = 0; round <= rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await samples[name]()
      if (round > 0) valuesByName[name].push(value)
    }
  return valuesByName
}

export const sampleMedians = async <Name extends string>(
  samples: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
): Promise<Record<Name, number>> => {
  const valuesByName = Object.entries<number[]>(await takeSamples(samples, rounds))
  return Object.fromEntries(valuesByName.map(([name, values]) => [name, median(values)])) as Record<
    Name,
    number
  >
}
