import { max, min, nice, ticks } from 'd3-array'

interface StackedSeries {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Each value starts where the values of its sign in the series before it end, or at 0. */
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

const STEPS = 4

/** Round whole numbers at equal distances, which include 0 and enclose all stacked values; 0 and 1 without values. */
export const axisTicks = (series: readonly (readonly number[])[]): number[] => {
  const allEnds = stacked(series).flatMap(({ ends }) => ends)
  const lowest = min([0, ...allEnds])!
  const highest = max([lowest === 0 ? 1 : 0, ...allEnds])!
  return ticks(...nice(lowest, highest, STEPS), STEPS).filter(Number.isInteger)
}

/** The space to the left of the values, for the amounts, and below them, for the months, in pixels. */
export const AMOUNTS_WIDTH = 48
export const MONTHS_HEIGHT = 24
/** The space above the values, in pixels. */
export const TOP_SPACE = 8

/** The size of a plot with its axes, in pixels. */
export interface PlotSize {
  readonly width: number
  readonly height: number
}

/** How months and values become positions in a plot, in pixels from its top left corner. */
export interface PlotScales {
  readonly x: (monthIndex: number) => number
  readonly y: (value: number) => number
  readonly monthWidth: number
}

export const plotScales = (
  { width, height }: PlotSize,
  monthCount: number,
  ticksOfAxis: readonly number[],
): PlotScales => {
  const monthWidth = (width - AMOUNTS_WIDTH) / Math.max(1, monthCount)
  const lowest = ticksOfAxis[0]!
  const highest = ticksOfAxis.at(-1)!
  const valuesHeight = height - MONTHS_HEIGHT - TOP_SPACE
  return {
    monthWidth,
    x: (monthIndex) => AMOUNTS_WIDTH + (monthIndex + 0.5) * monthWidth,
    y: (value) => TOP_SPACE + ((highest - value) / (highest - lowest)) * valuesHeight,
  }
}
