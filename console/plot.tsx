import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type Chart, monthName } from './analytics.ts'
import { money } from './format.ts'

const HEIGHT = 260
/** The colours of as many lines as one can tell apart. */
const HUES = [212, 152, 28, 280, 350, 190, 90, 50]
const bars = UPlot.paths.bars!({ size: [0.7, 40] })

const optionsOf = ({ currency, months, series }: Chart, element: HTMLElement): UPlot.Options => {
  const style = getComputedStyle(element)
  const axis = {
    stroke: style.color,
    grid: { stroke: style.borderTopColor, width: 1 },
    ticks: { show: false },
  }
  const lines = series.slice(0, HUES.length).map(({ name, values }, index): UPlot.Series => {
    const color = `${HUES[index]} 65% 50%`
    return {
      label: name,
      stroke: `hsl(${color})`,
      width: 2,
      points: { show: false },
      // Away from the plot, the legend says the latest month's.
      value: (_, value) => money(value ?? values.at(-1), currency),
      ...(series.length === 1 ? { fill: `hsl(${color} / 0.5)`, paths: bars } : {}),
    }
  })
  const nameOf = (month: number) => (Number.isInteger(month) ? monthName(month) : '')
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: {
      x: { time: false, range: (_, min, max) => [min - 0.6, max + 0.6] },
      y: { range: { min: { soft: 0, mode: 1 }, max: { pad: 0.1 } } },
    },
    axes: [
      { ...axis, values: (_, values) => values.map(nameOf), incrs: [1, 3, 6, 12, 24], space: 70 },
      { ...axis, values: (_, values) => values.map((value) => money(Math.round(value), currency)), size: 90 },
    ],
    series: [{ label: 'Month', value: (_, value) => monthName(value ?? months.at(-1)) }, ...lines],
  }
}

/** Draws a chart; its figures are in a table beside it, for everybody. */
export const Plot = ({ chart }: { readonly chart: Chart }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current!
    const data = [chart.months, ...chart.series.slice(0, HUES.length).map(({ values }) => values)]
    let plot: UPlot | undefined
    const draw = () => {
      plot?.destroy()
      plot = new UPlot(optionsOf(chart, element), data as UPlot.AlignedData, element)
    }
    // It draws at once, too.
    const resized = new ResizeObserver(draw)
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
