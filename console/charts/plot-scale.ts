/** Returns the two ends of each value, stacked on the values of the series before it that have its sign. */
export const stacked = (series: readonly (readonly number[])[]) => {
  const up = new Map<number, number>()
  const down = new Map<number, number>()
  return series.map((values) => {
    const from = values.map((value, index) => (value < 0 ? down : up).get(index) ?? 0)
    const to = values.map((value, index) => from[index]! + value)
    for (const [index, value] of values.entries()) (value < 0 ? down : up).set(index, to[index]!)
    return { from, to }
  })
}

const LINES = 4

/** Returns the round whole numbers at which a plot of stacked series has its lines: around all of them, and 0. */
export const levels = (series: readonly (readonly number[])[]): number[] => {
  const ends = stacked(series).flatMap(({ to }) => to)
  const low = ends.reduce((least, end) => Math.min(least, end), 0)
  const high = ends.reduce((greatest, end) => Math.max(greatest, end), low === 0 ? 1 : 0)
  const rough = (high - low) / LINES
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, power * [1, 2, 5, 10].find((factor) => factor * power >= rough)!)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}
