import { useEffect, useRef, useState } from 'preact/hooks'
import { beginning, money, monthText, roundMoney } from '../text/format.ts'
import { levels, stacked } from './plot-scale.ts'

const HEIGHT = 200
/** The space of the axes: of amounts at the left, of months below. */
const LEFT = 62
const BELOW = 24
const TOP = 8
const LABEL_WIDTH = 76
const HALF_LABEL = 34

/** A line or kind of bar of a plot. */
export interface Drawn {
  readonly key: string
  readonly name: string
  readonly hue: number
  readonly values: readonly number[]
  readonly soFar?: string
}

export interface PlotProps {
  /** Areas are stacked; so are bars above 0, and bars below 0. Lines are not. */
  readonly kind: 'areas' | 'bars' | 'lines'
  readonly months: readonly number[]
  readonly drawn: readonly Drawn[]
  readonly currency: string | undefined
  /** The index of the running month, of which only a part counts, and that part in words. */
  readonly running: { readonly index: number; readonly part: string }
}

interface Scales {
  readonly x: (index: number) => number
  readonly y: (value: number) => number
  readonly step: number
}

const colour = (hue: number): string => `hsl(${hue} 60% 50%)`

const useWidth = () => {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const resized = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    resized.observe(element.current!)
    return () => resized.disconnect()
  }, [])
  return { element, width }
}

/** The values of a month, above the plot: the month that was pointed to, or else the latest. */
const ReadOut = ({ kind, months, drawn, currency, running, at }: PlotProps & { readonly at: number }) => (
  <p class="read-out">
    <b>{`${monthText(months[at]!)}${at === running.index ? running.part : ''}`}</b>
    {kind === 'areas' && drawn.length > 1 && (
      <span>{`In all ${money(
        drawn.reduce((sum, { values }) => sum + values[at]!, 0),
        currency,
      )}`}</span>
    )}
    {drawn.map(({ key, name, hue, values, soFar }) => (
      <span key={key} class={soFar ? 'wide' : ''}>
        <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
          <rect width="1" height="1" fill={colour(hue)} />
        </svg>{' '}
        <bdi>{(at === running.index && soFar) || beginning(name, 40)}</bdi> {money(values[at]!, currency)}
      </span>
    ))}
  </p>
)

const Axes = ({ months, currency, ticks, scales: { x, y, step }, width }: AxesProps) => {
  // The last label stands further left than its month, so that it is not cut.
  const every = Math.ceil((LABEL_WIDTH + Math.max(0, HALF_LABEL - step / 2)) / step)
  const last = months.length - 1
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
            {roundMoney(tick, currency)}
          </text>
        </g>
      ))}
      {months.map((month, index) =>
        (last - index) % every === 0 && x(index) - LABEL_WIDTH / 2 > LEFT - 30 ? (
          <text key={month} x={Math.min(x(index), width - HALF_LABEL)} y={HEIGHT - 6} text-anchor="middle">
            {monthText(month)}
          </text>
        ) : null,
      )}
    </>
  )
}

/** The pattern over the bars of the running month, of which only a part counts. */
const Hatching = () => (
  <defs>
    <pattern id="running" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="hatch" width="4" height="8" />
    </pattern>
  </defs>
)

interface AxesProps extends PlotProps {
  readonly ticks: readonly number[]
  readonly scales: Scales
  readonly width: number
}

const Shapes = ({
  kind,
  drawn,
  months,
  running,
  scales: { x, y, step },
}: PlotProps & { readonly scales: Scales }) => (
  <>
    {stacked(drawn.map(({ values }) => values)).map(({ from, to }, position) => {
      const { key, hue, values } = drawn[position]!
      if (kind === 'lines') {
        const points = values.map((value, index) => `${x(index)},${y(value)}`)
        // A line of one month is a point.
        return <polyline key={key} points={[...points, points.at(-1)].join(' ')} stroke={colour(hue)} />
      }
      if (kind === 'areas' && months.length > 1) {
        const top = to.map((value, index) => `${x(index)},${y(value)}`)
        const bottom = from.map((value, index) => `${x(index)},${y(value)}`)
        return <polygon key={key} points={[...top, ...bottom.toReversed()].join(' ')} fill={colour(hue)} />
      }
      return to.map((value, index) => {
        const size = { width: Math.min(46, step * 0.7), height: Math.abs(y(value) - y(from[index]!)) }
        if (size.height === 0) return null
        if (kind === 'areas') return <circle key={key} cx={x(index)} cy={y(value)} r="5" fill={colour(hue)} />
        const corner = { x: x(index) - size.width / 2, y: Math.min(y(value), y(from[index]!)) }
        return (
          <g key={`${key} ${months[index]}`}>
            <rect {...corner} {...size} fill={colour(hue)} />
            {index === running.index && <rect {...corner} {...size} fill="url(#running)" />}
          </g>
        )
      })
    })}
  </>
)

const scalesOf = ({ months }: PlotProps, width: number, ticks: readonly number[]): Scales => {
  const step = (width - LEFT) / Math.max(1, months.length)
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  const height = HEIGHT - BELOW - TOP
  return {
    step,
    x: (index) => LEFT + (index + 0.5) * step,
    y: (value) => TOP + ((high - value) / (high - low)) * height,
  }
}

/** Draws months, whose figures are in a table too. Pointing or tapping moves the read-out. */
export const Plot = (props: PlotProps) => {
  const { element, width } = useWidth()
  const [pointed, setPointed] = useState<number>()
  const { kind, months, drawn, running } = props
  const series = drawn.map(({ values }) => values)
  const ticks = levels(kind === 'lines' ? [series.flat()] : series)
  const scales = scalesOf(props, width, ticks)
  const point = ({ offsetX }: PointerEvent) => {
    const index = Math.floor((offsetX - LEFT) / scales.step)
    setPointed(Math.min(months.length - 1, Math.max(0, index)))
  }
  const at = pointed !== undefined && pointed < months.length ? pointed : running.index
  return (
    <div aria-hidden="true">
      <ReadOut {...props} at={at} />
      <div class="plot" ref={element}>
        {width > 0 && (
          <svg
            aria-hidden="true"
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            onPointerDown={point}
            onPointerMove={point}
            onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointed(undefined)}
          >
            <Hatching />
            <Axes {...props} ticks={ticks} scales={scales} width={width} />
            <Shapes {...props} scales={scales} />
            {pointed !== undefined && (
              <line class="pointed" x1={scales.x(at)} x2={scales.x(at)} y1={TOP} y2={HEIGHT - BELOW} />
            )}
          </svg>
        )}
      </div>
    </div>
  )
}
