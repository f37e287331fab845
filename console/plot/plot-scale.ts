/** A series that is stacked on others: the start and the end of each of its values. */
interface StackedSeries {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/**
 * Returns series stacked on one another: each value starts where the values of its sign in the series before it end, or at 0.
 * Values above and below 0 are stacked separately.
 */
export const stacked = (series: readonly (readonly number[])[]): StackedSeries[] => {
  const endsAbove = new Map<number, number>()
  const endsBelow = new Map<number, number>()
  const stackOf = (value: number) => (value < 0 ? endsBelow : endsAbove)
  return series.map((values) => {
    const starts = values.map((value, index) => stackOf(value).get(index) ?? 0)
    const ends = values.map((value, index) => starts[index]! + value)
    for (const [index, value] of values.entries()) stackOf(value).set(index, ends[index]!)
    return { starts, ends }
  })
}

/** The number of steps into which the axis of values is divided before the step is rounded up. */
const STEPS = 4

/** Returns the lowest of the numbers 1, 2, 5, 10, 20, 50 and so on that is not below `exactStep`. */
const roundStep = (exactStep: number): number => {
  const powerOfTen = 10 ** Math.floor(Math.log10(exactStep))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * powerOfTen >= exactStep)!
  return Math.max(1, factor * powerOfTen)
}

/**
 * Returns the values at which a plot of stacked series has a line, in ascending order: round whole numbers at equal distances,
 * which include 0 and enclose all values. Without values, they are 0 and 1.
 */
export const axisTicks = (series: readonly (readonly number[])[]): number[] => {
  const allEnds = stacked(series).flatMap(({ ends }) => ends)
  const lowest = allEnds.reduce((least, end) => Math.min(least, end), 0)
  const highest = allEnds.reduce((greatest, end) => Math.max(greatest, end), lowest === 0 ? 1 : 0)
  const step = roundStep((highest - lowest) / STEPS)
  const firstStep = Math.floor(lowest / step)
  const lastStep = Math.ceil(highest / step)
  return Array.from({ length: lastStep - firstStep + 1 }, (_, index) => (firstStep + index) * step)
}

/** The height of a plot with its axes, in pixels. */
export const PLOT_HEIGHT = 200
/** The space to the left of the values, for the amounts, and below them, for the months, in pixels. */
export const AMOUNTS_WIDTH = 62
export const MONTHS_HEIGHT = 24
/** The space above the values, in pixels. */
export const TOP_SPACE = 8

/** How months and values become positions in a plot, in pixels from its top left corner. */
export interface PlotScales {
  /** Returns the centre of a month, by its index. */
  readonly x: (monthIndex: number) => number
  /** Returns the position of a value. */
  readonly y: (value: number) => number
  readonly monthWidth: number
}

/** Returns the scales of a plot of a width in pixels, whose axis of values has lines at `ticks`. */
export const plotScales = (width: number, monthCount: number, ticks: readonly number[]): PlotScales => {
  const monthWidth = (width - AMOUNTS_WIDTH) / Math.max(1, monthCount)
  const lowest = ticks[0]!
  const highest = ticks.at(-1)!
  const valuesHeight = PLOT_HEIGHT - MONTHS_HEIGHT - TOP_SPACE
  return {
    monthWidth,
    x: (monthIndex) => AMOUNTS_WIDTH + (monthIndex + 0.5) * monthWidth,
    y: (value) => TOP_SPACE + ((highest - value) / (highest - lowest)) * valuesHeight,
  }
}
