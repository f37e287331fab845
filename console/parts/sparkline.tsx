const WIDTH = 100
const HEIGHT = 28
/** The space above and below the line, in which its thickness fits. */
const MARGIN = 2

interface SparklineProps {
  readonly values: readonly (number | null)[]
}

/** A small line of values over time, without axes. A single value is a point. */
export const Sparkline = ({ values }: SparklineProps) => {
  const present = values.filter((value) => value !== null)
  const lowest = Math.min(0, ...present)
  // At least 1, so that equal values are not divided by 0.
  const range = Math.max(...present) - lowest || 1
  const x = (index: number) => (index / Math.max(1, present.length - 1)) * WIDTH
  const y = (value: number) => HEIGHT - MARGIN - ((value - lowest) / range) * (HEIGHT - 2 * MARGIN)
  const points = present.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" class="spark" aria-hidden="true">
      {present.length > 1 && (
        <>
          <polygon class="area" points={`0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} />
          <polyline points={points} vector-effect="non-scaling-stroke" />
        </>
      )}
      {/* A path without a length, which its round ends make a point. */}
      {present.length === 1 && (
        <path d={`M4 ${HEIGHT / 2}h0`} class="point" vector-effect="non-scaling-stroke" />
      )}
    </svg>
  )
}
