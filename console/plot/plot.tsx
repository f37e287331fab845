import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Axes } from './plot-axes.tsx'
import { monthSentence, type PlotData } from './plot-data.ts'
import {
  AMOUNTS_WIDTH,
  axisTicks,
  MONTHS_HEIGHT,
  type PlotSize,
  plotScales,
  TOP_SPACE,
} from './plot-scale.ts'
import { Shapes } from './plot-shapes.tsx'
import { ReadOut } from './read-out.tsx'
import './plot.css'

/** Returns a reference for an element, and the element's width in pixels: 0 until it is known. */
const useWidth = () => {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}

interface DrawingProps {
  readonly data: PlotData
  readonly size: PlotSize
  readonly pointedMonth: number | undefined
  readonly setPointedMonth: (monthIndex: number | undefined) => void
}

/** On a touch screen, the first tap on a month only points to it, and the next one follows the link of a bar. */
const Drawing = ({ data, size, pointedMonth, setPointedMonth }: DrawingProps) => {
  const isLinkFollowed = useRef(true)
  const { kind, months, series } = data
  const { width, height } = size
  const values = series.map((shown) => shown.values)
  // Only the values of different series are stacked, so the values of lines are passed as one series.
  const ticks = axisTicks(kind === 'lines' ? [values.flat()] : values)
  const scales = plotScales(size, months.length, ticks)
  const monthUnder = ({ offsetX }: PointerEvent): number => {
    const index = Math.floor((offsetX - AMOUNTS_WIDTH) / scales.monthWidth)
    return Math.min(months.length - 1, Math.max(0, index))
  }
  const press = (event: PointerEvent) => {
    const index = monthUnder(event)
    isLinkFollowed.current = event.pointerType === 'mouse' || index === pointedMonth
    setPointedMonth(index)
  }
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      onPointerDown={press}
      onPointerMove={(event) => setPointedMonth(monthUnder(event))}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointedMonth(undefined)}
      onClick={(event) => !isLinkFollowed.current && event.preventDefault()}
    >
      <Axes data={data} ticks={ticks} scales={scales} size={size} />
      <Shapes data={data} scales={scales} />
      {pointedMonth !== undefined && (
        <line
          class="pointed"
          x1={scales.x(pointedMonth)}
          x2={scales.x(pointedMonth)}
          y1={TOP_SPACE}
          y2={height - MONTHS_HEIGHT}
        />
      )}
    </svg>
  )
}

interface PlotProps {
  readonly data: PlotData
  /** The height of the plot with its axes, in pixels. */
  readonly height: number
  /** The table beside the plot, with the values of a month by its index. Without it, they stand above the plot. */
  readonly legend?: ((monthIndex: number) => ComponentChildren) | undefined
}

/**
 * A plot with the values of one month beside or above it: the one that the user points to or chooses with the arrow keys, or
 * the current month. The same values are in a table elsewhere.
 */
export const Plot = ({ data, height, legend }: PlotProps) => {
  const { element, width } = useWidth()
  const [chosenMonth, setChosenMonth] = useState<number>()
  const { title, months, currentMonth } = data
  // The months can have become fewer since the choice.
  const pointedMonth = chosenMonth !== undefined && chosenMonth < months.length ? chosenMonth : undefined
  const readMonth = pointedMonth ?? currentMonth.index
  return (
    <div class={legend ? 'plot-beside' : ''}>
      <div class="plot-with-slider">
        <input
          type="range"
          aria-label={`${title}, month`}
          aria-valuetext={monthSentence(data, readMonth)}
          min={0}
          max={months.length - 1}
          value={readMonth}
          onInput={({ currentTarget }) => setChosenMonth(Number(currentTarget.value))}
          onBlur={() => setChosenMonth(undefined)}
        />
        <div aria-hidden="true">
          {!legend && <ReadOut data={data} monthIndex={readMonth} />}
          <div class="plot" ref={element}>
            {width > 0 && (
              <Drawing
                data={data}
                size={{ width, height }}
                pointedMonth={pointedMonth}
                setPointedMonth={setChosenMonth}
              />
            )}
          </div>
        </div>
      </div>
      {legend?.(readMonth)}
    </div>
  )
}
