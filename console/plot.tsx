import { useEffect, useRef, useState } from 'preact/hooks'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { beginning, money, monthText, roundMoney } from './text/format.ts'

const HEIGHT = 240

/** A line or kind of bar of a plot. */
export interface Drawn {
  readonly key: string
  readonly name: string
  readonly hue: number
  readonly values: readonly number[]
}

interface PlotProps {
  /** Areas lie on one another; so do bars above 0, and bars below. */
  readonly kind: 'areas' | 'bars'
  readonly months: readonly number[]
  readonly drawn: readonly Drawn[]
  readonly currency: string | undefined
}

/** Returns what each series reaches up to, or down to, when it lies on those before it that have its sign. */
const stacked = (drawn: readonly Drawn[]): number[][] => {
  const tops = new Map<string, number>()
  return drawn.map(({ values }) =>
    values.map((value, index) => {
      const key = `${value < 0} ${index}`
      const top = (tops.get(key) ?? 0) + value
      tops.set(key, top)
      return top
    }),
  )
}

const colour = (hue: number, alpha = 1): string => `hsl(${hue} 60% 50% / ${alpha})`

const barPaths = UPlot.paths.bars!({ size: [0.7, 46] })

const seriesOf = ({ kind, drawn, months }: PlotProps): UPlot.Series[] =>
  // The last is drawn first, so that each one covers what it lies on.
  drawn.toReversed().map(({ name, hue }) => ({
    label: name,
    stroke: colour(hue),
    fill: colour(hue, kind === 'bars' ? 1 : 0.75),
    width: kind === 'bars' ? 0 : 1,
    points: { show: kind === 'areas' && months.length === 1, size: 9, fill: colour(hue) },
    ...(kind === 'bars' ? { paths: barPaths } : {}),
  }))

const dataOf = ({ months, drawn }: PlotProps): UPlot.AlignedData =>
  [months, ...stacked(drawn).toReversed()] as unknown as UPlot.AlignedData

const optionsOf = (props: PlotProps, element: HTMLElement, point: (index: number | null) => void) => {
  const { currency } = props
  const style = () => getComputedStyle(element)
  const axis = {
    stroke: () => style().color,
    grid: { stroke: () => style().borderTopColor, width: 1 },
    ticks: { show: false },
  }
  const whole = (value: number) => (currency || Number.isInteger(value) ? roundMoney(value, currency) : '')
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: (_: UPlot, min: number, max: number) => [min - 0.6, max + 0.6] },
      y: { range: { min: { soft: 0, mode: 1, pad: 0.1 }, max: { soft: 0, mode: 1, pad: 0.1 } } },
    },
    axes: [
      {
        ...axis,
        values: (_: UPlot, at: number[]) => at.map((each) => (Number.isInteger(each) ? monthText(each) : '')),
        incrs: [1, 2, 3, 6, 12, 24],
        space: 76,
      },
      { ...axis, values: (_: UPlot, at: number[]) => at.map(whole), size: 72 },
    ],
    series: [{}, ...seriesOf(props)],
    hooks: { setCursor: [({ cursor }: UPlot) => point(cursor.idx ?? null)] },
  } as UPlot.Options
}

/** The values of a month, above the plot: that which the pointer is on, or else the latest. */
const ReadOut = ({ months, drawn, currency }: PlotProps, index: number | null) => {
  const at = index ?? months.length - 1
  return (
    <p class="read-out">
      <b>{`${monthText(months[at]!)}${at === months.length - 1 ? ' so far' : ''}`}</b>
      {drawn.map(({ key, name, values }, position) => (
        <span key={key}>
          <i class={`swatch swatch-${position}`} /> <bdi>{beginning(name, 40)}</bdi>{' '}
          {money(values[at]!, currency)}
        </span>
      ))}
    </p>
  )
}

/** Draws months; their figures are in a table beside, for everybody. */
export const Plot = (props: PlotProps) => {
  const place = useRef<HTMLDivElement>(null)
  const [index, setIndex] = useState<number | null>(null)
  const { months, drawn } = props
  useEffect(() => {
    const element = place.current!
    const plot = new UPlot(optionsOf(props, element, setIndex), dataOf(props), element)
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    resized.observe(element)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => plot.redraw()
    dark.addEventListener('change', redraw)
    return () => {
      resized.disconnect()
      dark.removeEventListener('change', redraw)
      plot.destroy()
    }
  }, [months, drawn])
  useEffect(() => {
    const swatches = place.current!.parentElement!.querySelectorAll<HTMLElement>('.swatch')
    for (const [position, swatch] of swatches.entries())
      swatch.style.setProperty('--colour', colour(drawn[position]!.hue))
  }, [drawn, index])
  return (
    <div class="plotted" aria-hidden="true">
      {ReadOut(props, index !== null && index < months.length ? index : null)}
      <div class="plot" ref={place} />
    </div>
  )
}
