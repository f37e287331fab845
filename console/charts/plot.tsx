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
  /** Returns the link of a month's bar to the list that it counts. */
  readonly linkIn?: (month: number) => string
}

export interface PlotProps {
  readonly title: string
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

/** A month as it is named above the plot; the running one says that only a part of it counts. */
const monthAt = ({ months, running }: PlotProps, at: number): string =>
  `${monthText(months[at]!)}${at === running.index ? running.part : ''}`

/** What a line or kind of bar is called in a month. */
const nameAt = ({ running }: PlotProps, { name, soFar }: Drawn, at: number): string =>
  (at === running.index && soFar) || beginning(name, 40)

/** The values of a month in one sentence, as a screen reader says them. */
const spokenAt = (props: PlotProps, at: number): string => {
  const values = props.drawn.map(
    (one) => `${nameAt(props, one, at)} ${money(one.values[at]!, props.currency)}`,
  )
  return `${monthAt(props, at)}: ${values.join(', ')}`
}

interface ReadOutProps extends PlotProps {
  readonly at: number
}

/** The values of a month, above the plot: the month that was pointed to, or else the running one. */
const ReadOut = (props: ReadOutProps) => {
  const { kind, drawn, currency, at } = props
  const sum = drawn.reduce((total, { values }) => total + values[at]!, 0)
  return (
    <p class="read-out">
      <b>{monthAt(props, at)}</b>
      {kind === 'areas' && drawn.length > 1 && <span>{`In all ${money(sum, currency)}`}</span>}
      {drawn.map((one) => (
        <span key={one.key} class={one.soFar ? 'wide' : ''}>
          <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
            <rect width="1" height="1" fill={colour(one.hue)} />
          </svg>
          <bdi>{nameAt(props, one, at)}</bdi> {money(one.values[at]!, currency)}
        </span>
      ))}
    </p>
  )
}

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

interface BarProps {
  readonly corner: { readonly x: number; readonly y: number }
  readonly size: { readonly width: number; readonly height: number }
  readonly hue: number
  readonly isRunning: boolean
  /** The link to the list that the bar counts, if there is one. */
  readonly link: string | undefined
}

/** A bar, which is a link for the mouse; the table of the figures has the same link for the keyboard. */
const Bar = ({ corner, size, hue, isRunning, link }: BarProps) => {
  const shape = (
    <>
      <rect {...corner} {...size} fill={colour(hue)} />
      {isRunning && <rect {...corner} {...size} fill="url(#running)" />}
    </>
  )
  return link ? (
    // In SVG, the names of attributes are in lower case as they are written.
    <a href={link} tabindex={-1}>
      {shape}
    </a>
  ) : (
    <g>{shape}</g>
  )
}

interface ShapesProps extends PlotProps {
  readonly scales: Scales
}

const Shapes = ({ kind, drawn, months, running, scales: { x, y, step } }: ShapesProps) => (
  <>
    {stacked(drawn.map(({ values }) => values)).map(({ from, to }, position) => {
      const { key, hue, values, linkIn } = drawn[position]!
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
          <Bar
            key={`${key} ${months[index]}`}
            corner={corner}
            size={size}
            hue={hue}
            isRunning={index === running.index}
            link={linkIn?.(months[index]!)}
          />
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

/**
 * Draws months, whose figures are in a table too. Pointing, tapping and the arrow keys choose the month of the read-out. A bar
 * leads to its list; where there is no pointer to hover with, the first tap on a month reads it out and the next one follows.
 */
export const Plot = (props: PlotProps) => {
  const { element, width } = useWidth()
  const [pointed, setPointed] = useState<number>()
  const mayFollow = useRef(true)
  const { title, kind, months, drawn, running } = props
  const series = drawn.map(({ values }) => values)
  const ticks = levels(kind === 'lines' ? [series.flat()] : series)
  const scales = scalesOf(props, width, ticks)
  const monthUnder = ({ offsetX }: PointerEvent): number => {
    const index = Math.floor((offsetX - LEFT) / scales.step)
    return Math.min(months.length - 1, Math.max(0, index))
  }
  const press = (event: PointerEvent) => {
    const index = monthUnder(event)
    mayFollow.current = event.pointerType === 'mouse' || index === pointed
    setPointed(index)
  }
  const at = pointed !== undefined && pointed < months.length ? pointed : running.index
  return (
    <div class="drawn">
      <input
        type="range"
        aria-label={`${title}, month`}
        aria-valuetext={spokenAt(props, at)}
        min={0}
        max={months.length - 1}
        value={at}
        onInput={({ currentTarget }) => setPointed(Number(currentTarget.value))}
        onBlur={() => setPointed(undefined)}
      />
      <div aria-hidden="true">
        <ReadOut {...props} at={at} />
        <div class="plot" ref={element}>
          {width > 0 && (
            <svg
              aria-hidden="true"
              width={width}
              height={HEIGHT}
              viewBox={`0 0 ${width} ${HEIGHT}`}
              onPointerDown={press}
              onPointerMove={(event) => setPointed(monthUnder(event))}
              onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointed(undefined)}
              onClick={(event) => !mayFollow.current && event.preventDefault()}
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
    </div>
  )
}
