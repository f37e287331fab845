import { type Colour, cssColour, type PlotData, type PlotSeries } from './plot-data.ts'
import { type PlotScales, stacked } from './plot-scale.ts'

interface ShapesProps {
  readonly data: PlotData
  readonly scales: PlotScales
}

interface SeriesProps extends ShapesProps {
  readonly series: PlotSeries
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

const pointsOf = (values: readonly number[], { x, y }: PlotScales): string[] =>
  values.map((value, index) => `${x(index)},${y(value)}`)

const Line = ({ series, scales }: Pick<SeriesProps, 'series' | 'scales'>) => {
  const points = pointsOf(series.values, scales)
  // The last point is repeated, since a line of one point would not be drawn.
  return <polyline points={[...points, points.at(-1)].join(' ')} stroke={cssColour(series.colour)} />
}

/** An area, whose last stretch leads to the current month and is hatched. */
const Area = ({ series, starts, ends, scales }: SeriesProps) => {
  const tops = pointsOf(ends, scales)
  const bottoms = pointsOf(starts, scales)
  const outline = (from: number) => [...tops.slice(from), ...bottoms.slice(from).toReversed()].join(' ')
  return (
    <>
      <polygon points={outline(0)} fill={cssColour(series.colour)} />
      <polygon points={outline(-2)} fill="url(#current-month)" />
    </>
  )
}

/** The points of an area of one month, which has no width. Values of 0 are not drawn. */
const Points = ({ series, ends, scales: { x, y } }: SeriesProps) => (
  <>
    {ends.map((end, index) =>
      series.values[index] === 0 ? null : (
        <circle key={index} cx={x(index)} cy={y(end)} r="5" fill={cssColour(series.colour)} />
      ),
    )}
  </>
)

const MAX_BAR_WIDTH = 46
const BAR_SHARE = 0.7

interface BarProps {
  readonly rectangle: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>
  readonly colour: Colour
  readonly isCurrentMonth: boolean
  readonly link: string | undefined
}

/** A bar, which is a link for the mouse. The table of the figures has the same link for the keyboard. */
const Bar = ({ rectangle, colour, isCurrentMonth, link }: BarProps) => {
  const shape = (
    <>
      <rect {...rectangle} fill={cssColour(colour)} />
      {isCurrentMonth && <rect {...rectangle} fill="url(#current-month)" />}
    </>
  )
  return link ? (
    // Preact writes attributes in SVG as they are spelled here, and browsers read only the lower case.
    <a href={link} tabindex={-1}>
      {shape}
    </a>
  ) : (
    <g>{shape}</g>
  )
}

const Bars = ({
  data: { months, currentMonth },
  series,
  starts,
  ends,
  scales: { x, y, monthWidth },
}: SeriesProps) => {
  const width = Math.min(MAX_BAR_WIDTH, monthWidth * BAR_SHARE)
  return (
    <>
      {months.map((month, index) => {
        const edges = [y(starts[index]!), y(ends[index]!)]
        const top = Math.min(...edges)
        const height = Math.max(...edges) - top
        if (height === 0) return null
        return (
          <Bar
            key={month}
            rectangle={{ x: x(index) - width / 2, y: top, width, height }}
            colour={series.colour}
            isCurrentMonth={index === currentMonth.index}
            link={series.linkOfMonth?.(month)}
          />
        )
      })}
    </>
  )
}

/** The pattern over the bars of the current month, of which only a part counts. */
const CurrentMonthPattern = () => (
  <defs>
    <pattern
      id="current-month"
      width="8"
      height="8"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect class="hatch" width="4" height="8" />
    </pattern>
  </defs>
)

export const Shapes = ({ data, scales }: ShapesProps) => {
  const { kind, months, series } = data
  const AreaOrPoints = months.length > 1 ? Area : Points
  const stacks = stacked(series.map(({ values }) => values))
  return (
    <>
      <CurrentMonthPattern />
      {series.map((shown, index) => {
        if (kind === 'lines') return <Line key={shown.key} series={shown} scales={scales} />
        const Shape = kind === 'areas' ? AreaOrPoints : Bars
        return <Shape key={shown.key} {...stacks[index]!} data={data} series={shown} scales={scales} />
      })}
    </>
  )
}
