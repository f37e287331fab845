import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Chart } from './analytics/charts.ts'
import { monthName } from './analytics/months.ts'
import { money, number } from './format.ts'
import './plot.css'

const HEIGHT = 260
const HUES = [212, 152, 28, 280, 350, 190, 90, 50]
/** The most lines that one can tell apart. */
const MOST_SERIES = HUES.length

const optionsOf = ({ currency, series }: Chart, element: HTMLElement): UPlot.Options => {
  const style = getComputedStyle(element)
  const axis = {
    stroke: style.color,
    grid: { stroke: style.borderTopColor, width: 1 },
    ticks: { show: false },
  }
  const shown = (value: number) => (currency ? money(value, currency) : number(value))
  const months = (values: readonly number[]) =>
    values.map((value) => (Number.isInteger(value) ? monthName(value) : ''))
  const lines = series.map(({ name }, index) => ({
    label: name,
    stroke: `hsl(${HUES[index]} 65% 50%)`,
    width: 2,
    points: { show: false },
    value: (_: UPlot, value: number | null) => (value === null ? '' : shown(value)),
    ...(series.length === 1
      ? { fill: `hsl(${HUES[index]} 65% 50% / 0.5)`, paths: UPlot.paths.bars!({ size: [0.7, 40] }) }
      : {}),
  }))
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: {
      x: { time: false, range: (_, min, max) => [min - 0.6, max + 0.6] },
      y: { range: { min: { soft: 0, mode: 1 }, max: { pad: 0.1 } } },
    },
    axes: [
      { ...axis, values: (_, values) => months(values), incrs: [1, 3, 6, 12, 24], space: 70 },
      { ...axis, values: (_, values) => values.map((value) => shown(Math.round(value))), size: 90 },
    ],
    series: [{ label: 'Month', value: (_, value) => (value === null ? '' : monthName(value)) }, ...lines],
  }
}

/** Draws a chart; its figures are in a table beside it, for everybody. */
export const Plot = ({ chart }: { readonly chart: Chart }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current!
    const drawn = { ...chart, series: chart.series.slice(0, MOST_SERIES) }
    let plot: UPlot | undefined
    const draw = () => {
      plot?.destroy()
      const data = [chart.months, ...drawn.series.map(({ values }) => values)]
      plot = new UPlot(optionsOf(drawn, element), data as UPlot.AlignedData, element)
    }
    draw()
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }))
    resized.observe(element)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', draw)
    return () => {
      resized.disconnect()
      dark.removeEventListener('change', draw)
      plot?.destroy()
    }
  }, [chart])
  return <div class="plot" ref={place} aria-hidden="true" />
}
